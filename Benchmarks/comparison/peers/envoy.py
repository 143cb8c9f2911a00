"""Envoy as a reverse proxy."""

import json

from .proxy import Proxy, free_port


class Envoy(Proxy):
    """One worker thread, and an access log in a file, which Envoy itself writes in the background."""

    name = "envoy"
    title = "Envoy"
    share = 1 / 2

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = free_port()
        (folder / "envoy.json").write_text(json.dumps(self._configuration()))
        self.start(
            binary, "--config-path", folder / "envoy.json", "--concurrency", setting.loops, "--disable-hot-restart",
            "--log-level", "error", gathers_output=True)
        self.wait_for_port(20)

    def _configuration(self):
        kind = "type.googleapis.com/envoy.extensions"
        credential = {
            "header": {"key": "authorization", "value": "Bearer sk-bench"},
            "append_action": "OVERWRITE_IF_EXISTS_OR_ADD"}
        routes = {
            "request_headers_to_add": [credential],
            "virtual_hosts": [{
                "name": "mock", "domains": ["*"],
                "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "mock", "timeout": "0s"}}]}]}
        manager = {
            "@type": f"{kind}.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "clients", "codec_type": "HTTP1", "route_config": routes,
            "access_log": [{
                "name": "envoy.access_loggers.file",
                "typed_config": {
                    "@type": f"{kind}.access_loggers.file.v3.FileAccessLog", "path": str(self.folder / "log")}}],
            "http_filters": [{
                "name": "envoy.filters.http.router",
                "typed_config": {"@type": f"{kind}.filters.http.router.v3.Router"}}]}
        # Envoy's default limits, 1,024 of each, are below this load.
        unlimited = {name: 100_000 for name in ("max_connections", "max_pending_requests", "max_requests")}
        cluster = {
            "name": "mock", "type": "STATIC", "connect_timeout": "10s", "circuit_breakers": {"thresholds": [unlimited]},
            "load_assignment": {
                "cluster_name": "mock",
                "endpoints": [{"lb_endpoints": [{"endpoint": {"address": _address(
                    self.upstream_address, self.upstream_port)}}]}]}}
        listener = {
            "name": "clients", "address": _address("127.0.0.1", self.port),
            "filter_chains": [{"filters": [{
                "name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}]}
        return {"static_resources": {"listeners": [listener], "clusters": [cluster]}}


def _address(address, port):
    return {"socket_address": {"address": address, "port_value": port}}
