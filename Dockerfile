# The gateway and the libraries it loads, and nothing else: no shell, no package manager, no Python.
#   make image                  builds it and, where buildah is, tests it
#   docs/deployment.md          says how to run it

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libedit-dev libevent-dev libpq-dev libsqlite3-dev libssl-dev libyaml-dev libzstd-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The manifest names the test targets, so their sources have to be there; they are not built.
COPY Package.swift ./
COPY Tests Tests
COPY Sources Sources
COPY deploy/build-release deploy/
RUN deploy/build-release && cp .build/release/headgate /usr/bin/

FROM docker.io/library/debian:bookworm-slim AS files
ARG PACKAGES="ca-certificates libbsd0 libc-bin libc6 libedit2 libevent-core-2.1-7 libgcc-s1 libmd0 libsqlite3-0 libssl3 libstdc++6 libtinfo6 libyaml-0-2 \
    ncurses-base libzstd1 zlib1g"
# What is needed besides: libpq5 for `ledger: postgresql://` (9 MB with what it needs itself).
ARG STORES=""
RUN apt-get update \
 && apt-get install -y --no-install-recommends $PACKAGES $STORES \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/bin/headgate /usr/bin/headgate
# The pages of /docs, if deploy/build-image has put them there.
COPY deploy/assets /image/usr/share/headgate
COPY LICENSE /usr/share/doc/headgate/copyright
COPY deploy/image-files /usr/bin/image-files
RUN image-files /image /usr/bin/headgate headgate $PACKAGES $STORES

FROM scratch
COPY --from=files /image /
# In a container the gateway makes no key of its own and looks for no model on this device: what it needs is given, or
# named as missing. HEADGATE_LISTEN: the container's port is published by whoever runs it.
ENV HEADGATE_CONTAINER=1 \
    HEADGATE_LISTEN=0.0.0.0:8686
USER 65532:65532
EXPOSE 8686
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["/usr/bin/headgate", "health"]
ENTRYPOINT ["/usr/bin/headgate"]
CMD ["serve"]
