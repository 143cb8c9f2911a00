# The common part of the package checks, to be sourced. `root` is the folder that replaces /, and `headgate` the program
# in it.

patience=20
folder=$(mktemp -d)
root=$folder/root
pids=()

say() { printf '%s: %s\n' "$(basename "$0")" "$*"; }
fail() {
    say "$*" >&2
    for log in "$folder"/*.log; do
        [[ -s $log ]] && printf -- '--- %s\n' "${log##*/}" >&2 && tail -n 40 "$log" >&2
    done
    exit 1
}
finish() {
    for pid in "${pids[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    umount "$root/proc" "$root/dev" 2>/dev/null || true
    rm -rf --one-file-system "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

until_true() { # <what> <command>...: tries until it succeeds
    local what=$1 end=$((SECONDS + patience))
    shift
    until "$@"; do
        ((SECONDS < end)) || fail "$what not within $patience s"
        sleep 0.1
    done
}

holds() { # <file> <part of it>
    python3 -c 'import sys
whole, part = (open(one, "rb").read() for one in sys.argv[1:])
sys.exit(part not in whole)' "$@"
}

# Runs a process of a new user in the root, with its own environment. It is not a function, so that a background process
# is the program itself, and receives signals.
inside=(chroot --userspec=65534:65534 "$root" /usr/bin/env -i HOME=/home/me HEADGATE_LISTEN=127.0.0.1:0)

# Goes from `headgate init` to a streamed reply and to a managed key in SQLite.
serve_and_ask() { # <path of headgate in the root> <program of the scripted upstream>
    local program=$1 upstream=$2 url key answer asset code=0
    [[ -d $root/home/me ]] || install -d -o 65534 -g 65534 "$root/home/me"
    : >"$folder/upstream.log"
    "$upstream" --listen 127.0.0.1:0 >"$folder/upstream.log" 2>&1 &
    pids+=("$!")
    until_true "the scripted upstream has started" grep -q '^listening on ' "$folder/upstream.log"
    url=http://$(sed -n 's/^listening on //p' "$folder/upstream.log")/v1
    key=$("${inside[@]}" OPENAI_API_KEY=real "OPENAI_BASE_URL=$url" "$program" init --provider openai 2>"$folder/init.log") ||
        fail "headgate init failed"
    "${inside[@]}" OPENAI_API_KEY=real "$program" check --quiet >"$folder/check.log" 2>&1 || fail "headgate check failed"
    : >"$folder/serve.log"
    "${inside[@]}" OPENAI_API_KEY=real "$program" serve >"$folder/serve.log" 2>&1 &
    local gateway=$!
    pids+=("$gateway")
    until_true "the gateway has started" grep -q '^ready$' "$folder/serve.log"
    url=$(sed -n 's/^listening on //p' "$folder/serve.log")
    answer=$(curl --silent --show-error --fail --no-buffer --max-time "$patience" --noproxy '*' "$url/v1/chat/completions" \
        --header "Authorization: Bearer $key" --header 'Content-Type: application/json' \
        --data '{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"Say hello."}]}' 2>&1) ||
        fail "curl failed: $answer"
    [[ $(grep -c '^data: {' <<<"$answer") -gt 1 && $(tail -n 2 <<<"$answer") == *"data: [DONE]"* ]] ||
        fail "the answer is no whole stream: $answer"
    # The files that the pages load are installed with the program. Libraries are part of the chat's script.
    for asset in docs/swagger-ui-bundle.js docs/swagger-ui.css web/chat.js; do
        curl --silent --show-error --fail --max-time "$patience" --noproxy '*' \
            --output "$folder/${asset##*/}" "$url/$asset" || fail "/$asset is not served"
    done
    for asset in marked.umd.min.js highlight.min.js katex.min.js; do
        holds "$folder/chat.js" ".build/assets/swagger-ui/$asset" || fail "/web/chat.js does not hold $asset"
    done
    kill -TERM "$gateway"
    wait "$gateway" || code=$?
    ((code == 0)) || fail "the gateway ended with $code after SIGTERM"
    # The program opens SQLite only for commands that need it.
    "${inside[@]}" "$program" key add laptop >"$folder/key.log" 2>&1 || fail "headgate key add failed"
    "${inside[@]}" "$program" key list 2>&1 | grep -q laptop || fail "the managed key is not listed"
    say "from headgate init to a streamed answer and a managed key"
}
