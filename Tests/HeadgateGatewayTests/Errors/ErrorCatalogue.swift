@testable import HeadgateGateway
@testable import HeadgateRelay

/// Every error code of the gateway that a client can get, for docs/errors.md.
struct ErrorCatalogue {
    struct Entry {
        let code: String
        let status: Int
        let cause: GatewayError.Cause
        let meaning: String
        let advice: String

        init(_ code: String, _ status: Int, _ cause: GatewayError.Cause, _ meaning: String, _ advice: String) {
            (self.code, self.status, self.cause, self.meaning, self.advice) = (code, status, cause, meaning, advice)
        }
    }

    let title: String
    let entries: [Entry]

    static let all = [
        request, callers, limits, routes, kept, upstreams, responses, gateway,
    ]

    private static let request = ErrorCatalogue(
        title: "The request",
        entries: [
            Entry(
                "invalid_json", 400, .invalidRequest, "The body is not valid JSON.", "Send what the message asks for."),
            Entry(
                "invalid_value", 400, .invalidRequest,
                "A member, a field or a query parameter has a value that is not allowed; `param` names it.",
                "Send one of those that the message names."),
            Entry(
                "missing_member", 400, .invalidRequest, "A member that the route needs is missing; `param` names it.",
                "Add it."),
            Entry(
                "duplicate_member", 400, .invalidRequest,
                "A member stands twice, so that two readers could see two requests.", "Send it once."),
            Entry(
                "ambiguous_member", 400, .invalidRequest,
                "A member differs from one that the gateway reads in case alone.", "Write it as the API does."),
            Entry(
                "too_many_members", 400, .invalidRequest, "The body has more members than the gateway looks through.",
                "Send fewer."),
            Entry(
                "mutually_exclusive_parameters", 400, .invalidRequest, "Two members say where the request goes on.",
                "Leave one out."),
            Entry(
                "unsupported_value", 400, .untranslatable,
                "The target speaks another format, which has no place for the member in `param`.",
                "Leave it out, or add a target that [speaks](dialects.md) the client's format."),
            Entry(
                "unsupported_parameter", 400, .invalidRequest,
                "The model on the device cannot do this; `param` names the member.",
                "Leave it out, or use another model."),
            Entry(
                "unsupported_operation", 400, .invalidRequest,
                "The model on the device does not take requests of this route.", "Use another model."),
            Entry(
                "context_length_exceeded", 400, .contextOverflow,
                "The prompt does not fit the model's context. Other targets of the model were asked first.",
                "Shorten the prompt, or use a model with a larger context."),
            Entry(
                "invalid_form", 400, .invalidRequest, "The form is malformed.",
                "Send `multipart/form-data` as RFC 7578 has it."),
            Entry(
                "model_too_late", 413, .bodyTooLarge,
                "The part `model` comes behind more of the form than the gateway keeps.", "Send it first."),
            Entry(
                "form_was_sent", 400, .invalidRequest,
                "A form is sent on as it comes, and there is nothing left to send to another target.",
                "Send the request again."),
            Entry(
                "not_explained", 400, .invalidRequest, "Requests with a form cannot be [explained](routes.md).",
                "Leave `x-headgate-explain` out."),
        ])

    private static let callers = ErrorCatalogue(
        title: "The caller",
        entries: [
            Entry(
                "invalid_api_key", 401, .keyRefused,
                "There is no key, or not one of this gateway. The text is the same for all wrong keys.",
                "Send a [key](keys.md) of the gateway as `Authorization: Bearer` or `x-api-key`."),
            Entry(
                "too_many_wrong_keys", 429, .keyRefused,
                "This address has sent several wrong keys within a minute. Right ones are let in all the same.",
                "Stop the client that sends the wrong one."),
            Entry(
                "too_many_pairings", 429, .notAllowed, "Sixteen pairing codes wait for their devices.",
                "Use one, or try again in five minutes."),
            Entry(
                "admin_key_needed", 403, .notAllowed, "The route, or the field, is for keys with `admin: true`.",
                "Use such a key."),
            Entry(
                "model_not_allowed", 403, .notAllowed, "The key may not use this model.",
                "Use one that `GET /v1/models` lists for it."),
            Entry(
                "host_not_allowed", 421, .notAllowed, "The `Host` is none of this gateway's, as after DNS rebinding.",
                "Add it to `allowed_hosts` if it is yours."),
            Entry(
                "origin_not_allowed", 403, .notAllowed, "A page of another site has made the request.",
                "Add its origin to `allowed_origins` if it is yours."),
            Entry(
                "peer_not_allowed", 403, .notAllowed,
                "The process at the other end of the Unix socket belongs to another user.",
                "Ask as a user that the listener admits, or send a key."),
            Entry(
                "passthrough_not_allowed", 403, .notAllowed,
                "The key may not reach the upstream's whole API, or it has a budget.",
                "Use an admin key or one with [`passthrough`](passthrough.md), without a budget."),
            Entry(
                "keyless_gateway", 403, .notAllowed,
                "The gateway asks for no key, and its first one would change that for all.",
                "Make it with `headgate key add`."),
        ])

    private static let limits = ErrorCatalogue(
        title: "Limits",
        entries: [
            Entry(
                "rate_limit_exceeded", 429, .limitReached,
                "The key, its group, the model or the gateway has reached one of its [limits](limits.md).",
                "Wait as long as `Retry-After` says."),
            Entry(
                "budget_exceeded", 429, .limitReached,
                "A budget is used up, or what is left of it is reserved for requests in flight.",
                "Wait for its next period, or raise it."),
            Entry(
                "budget_unavailable", 503, .storeFailed,
                "What is left of a strict budget is not known, as its ledger does not answer.",
                "Look at the ledger in `/readyz?verbose`."),
        ])

    private static let routes = ErrorCatalogue(
        title: "Routes and models",
        entries: [
            Entry(
                "unknown_route", 404, .unknownRoute, "There is no such route.",
                "`headgate routes` lists them. An SDK's base URL mostly ends with `/v1`."),
            Entry(
                "unknown_upstream", 404, .unknownRoute, "No upstream of that name has `passthrough: true`.",
                "Check the name, or [open the upstream](passthrough.md)."),
            Entry(
                "invalid_path", 400, .invalidRequest,
                "Servers could read the path below `/upstream/` in different ways.",
                "Send it without empty and dot segments and without encoded separators."),
            Entry(
                "method_not_allowed", 405, .unknownRoute, "The route does not take this method.", "Use one of `Allow`."),
            Entry(
                "websocket_not_supported", 426, .unknownRoute, "The client wants WebSocket frames.",
                "Send the request by HTTP."),
            Entry(
                "unsupported_route", 501, .unknownRoute,
                "It is one of Ollama's routes that a gateway has nothing for, such as pulling models.",
                "Do it at the upstream."),
            Entry(
                "model_not_found", 404, .unknownModel, "No model has this name.", "Use one that `GET /v1/models` lists."
            ),
            Entry(
                "dialect_not_spoken", 400, .invalidRequest, "The model's upstream has nothing like this route.",
                "Use another route or another model."),
            Entry(
                "tier_not_allowed", 403, .notAllowed,
                "The key or the model does not allow the service tier that `param` selects.",
                "Select one that the message names."),
            Entry(
                "model_unpriced", 403, .notAllowed,
                "The key has a budget in USD and refuses models whose price is unknown.",
                "Use a model with a price, or [add one](usage.md#prices)."),
            Entry(
                "compaction_not_supported", 400, .untranslatable,
                "The model's upstream has no `/v1/responses/compact`.",
                "Shorten the conversation in the client, or use another model."),
            Entry("metrics_off", 404, .unknownRoute, "`metrics: true` is not in the configuration.", "Add it."),
            Entry(
                "inspect_off", 404, .unknownRoute, "`inspect:` is not in the configuration.",
                "[Add it](inspect.md)."),
            Entry(
                "ledger_off", 404, .unknownRoute,
                "Nothing is kept of requests.",
                "Configure a [ledger](usage.md)."),
            Entry(
                "keys_off", 404, .unknownRoute, "There is no data folder for managed keys.",
                "Set `XDG_DATA_HOME` or `HOME`."),
        ])

    private static let kept = ErrorCatalogue(
        title: "What is kept",
        entries: [
            Entry(
                "response_not_found", 404, .unknownResponse, "No stored response of this key has the id.",
                "Use an id that was answered to this key."),
            Entry(
                "previous_message_not_found", 404, .unknownResponse,
                "The thread that the message continues is not one of this key.",
                "Send the whole conversation without `thread`."),
            Entry(
                "fallback_credit_not_found", 404, .unknownResponse,
                "The token is not of a message that this key has received.", "Send the request without the token."),
            Entry(
                "previous_response_not_found", 404, .unknownResponse,
                "The response that the request continues, or one before it, is not kept for this key.",
                "Send the whole conversation in `input`."),
            Entry(
                "previous_response_too_long", 400, .invalidRequest,
                "What the request continues is more than a request may be.", "Send what of it matters in `input`."),
            Entry(
                "responses_unavailable", 503, .storeFailed, "The store of responses does not answer.",
                "Try again after `Retry-After`."),
            Entry(
                "conversation_not_found", 404, .unknownResponse, "No conversation of this key has the id.",
                "Begin another one."),
            Entry(
                "conversation_too_long", 400, .invalidRequest, "The conversation is more than a request may be.",
                "Begin another one with what of it matters."),
            Entry(
                "conversation_locked", 409, .invalidRequest, "Another response is being made in the conversation.",
                "Wait for it."),
            Entry(
                "conversations_not_kept", 400, .invalidRequest, "The configuration keeps no conversations.",
                "Add `responses: {store: 1d}`."),
            Entry(
                "conversations_unavailable", 503, .storeFailed, "The store of conversations does not answer.",
                "Try again after `Retry-After`."),
            Entry("item_not_found", 404, .unknownResponse, "The conversation has no such item.", "List its items."),
            Entry(
                "stream_not_found", 404, .unknownResponse, "No stream of this key can be resumed by the id.",
                "Send the request again."),
            Entry(
                "events_dropped", 410, .unknownResponse, "The stream's buffer no longer has the next events.",
                "Send the request again."),
            Entry(
                "invalid_last_event_id", 400, .invalidRequest,
                "`last-event-id` is no number, or one that the stream has not reached.",
                "Send the id of the last event that has come."),
            Entry(
                "stream_buffer_full", 503, .cancelled, "Nobody read the stream, and its buffer was full.",
                "Send the request again."),
            Entry("stream_stopped", 503, .cancelled, "The client has stopped the stream.", ""),
            Entry(
                "stream_lost", 410, .storeFailed, "The gateway that read the stream has disappeared.",
                "Send the request again."),
            Entry(
                "stream_out_of_reach", 503, .storeFailed,
                "Another gateway reads the stream, and their store does not answer.", "Ask for the rest again."),
            Entry(
                "stream_store_unavailable", 503, .storeFailed, "The store of streams does not answer.",
                "Try again after `Retry-After`."),
            Entry(
                "reader_too_slow", 503, .cancelled, "Others share the stream, and read it much faster.",
                "Send the request again."),
            Entry(
                "program_not_found", 404, .unknownResponse, "The gateway runs no program for an upstream of this name.",
                "See the upstreams with a `program` in `GET /status/data`."),
            Entry(
                "request_not_stored", 404, .unknownResponse, "Newer requests have displaced the content of this one.",
                "Raise `inspect: {requests: N}`."),
            Entry(
                "key_not_found", 404, .unknownResponse, "No managed key has the name.",
                "List them with `GET /v1/admin/keys`."),
            Entry(
                "pairing_unknown", 404, .unknownResponse, "The pairing code was used, has expired, or never existed.",
                "Make another one with `headgate open --phone`."),
            Entry(
                "key_exists", 409, .invalidRequest, "A key has this name already.",
                "Choose another one, or revoke it first."),
            Entry(
                "key_in_configuration", 409, .invalidRequest,
                "The key is in the configuration, where the routes cannot change it.", "Change it there, and reload."),
            Entry(
                "keys_unavailable", 503, .storeFailed, "The managed keys cannot be read or written.",
                "Look at the gateway's log."),
            Entry(
                "keys_unknown", 503, .storeFailed, "The database of managed keys has not answered since the start.",
                "Try again after `Retry-After`."),
            Entry(
                "keys_appear", 503, .storeFailed, "The first managed key is about to be let in.", "Try again at once."),
            Entry("usage_unavailable", 503, .storeFailed, "The ledger cannot be read.", "Look at the gateway's log."),
            Entry(
                "usage_busy", 503, .storeFailed, "As many questions about usage as there may be are being answered.",
                "Try again."),
            Entry(
                "usage_too_slow", 503, .storeFailed, "The question about usage took too long.",
                "Ask for a shorter time."),
        ])

    private static let upstreams = ErrorCatalogue(
        title: "Reaching an upstream",
        entries: [
            Entry(
                "upstream_connect", 502, .connect, "No connection: refused, no such name, no route, or not in time.",
                "See `detail` in the [log](logs.md) for the address and the reason; check `base_url`."),
            Entry(
                "upstream_tls", 502, .tls, "No secure connection; the message says why.",
                "Check the certificate, `ca_file` and the name in `base_url`."),
            Entry(
                "upstream_starting", 503, .notReady, "The upstream's program or model is being started.",
                "Try again after `Retry-After`."),
            Entry(
                "upstream_busy", 503, .busy,
                "Too many requests wait for programs of its `program_group`, or this one has waited for too long.",
                "Try again after `Retry-After`; raise `queue`, `wait` or `max` of the group."),
            Entry(
                "upstream_no_key", 503, .noKey,
                "The command that prints the upstream's key has failed, or has not finished.",
                "Run the command by hand as the gateway's user; see [key-commands.md](key-commands.md)."),
            Entry(
                "upstream_unavailable", 502, .unavailable, "The upstream's program cannot work on this machine.",
                "The message says what is missing."),
            Entry(
                "no_target_available", 503, .noTarget,
                "Every target of the model has failed, is at its limit or rests.",
                "See the targets on `/status`; try again after `Retry-After`."),
            Entry(
                "targets_resting", 429, .noTarget,
                "Every target has refused the gateway's key or wants fewer requests.",
                "Wait as long as `Retry-After` says; add keys or targets."),
        ])

    private static let responses = ErrorCatalogue(
        title: "An upstream's response",
        entries: [
            Entry(
                "upstream_auth", 502, .upstreamStatus(401), "The upstream refuses the gateway's key.",
                "Check its `api_key`."),
            Entry(
                "upstream_error", 502, .errorInSuccess,
                "The upstream reported an error with a status of success. Other errors keep the upstream's own code.",
                "The message has the upstream's words."),
            Entry(
                "upstream_redirect", 502, .upstreamStatus(302),
                "The upstream answers with a redirection, which is not followed.",
                "Write the address that it leads to in `base_url`."),
            Entry(
                "upstream_timeout", 504, .responseTimeout,
                "A deadline of the upstream or model is over: `first_byte`, `first_content` or `silence`.",
                "Raise it in `timeouts`."),
            Entry(
                "request_timeout", 504, .totalTimeout,
                "`timeouts: {total: ...}` of the model is over, with all its attempts.", "Raise it."),
            Entry(
                "upstream_disconnected", 502, .closedBeforeResponse,
                "The upstream closed the connection before its response.",
                "See the upstream's own log."),
            Entry(
                "upstream_incomplete", 502, .truncatedBody,
                "The response broke off: what the client has of it is not complete.", "Send the request again."),
            Entry(
                "upstream_no_content", 502, .emptyStream, "The stream went on without any content.",
                "See the upstream's own log."),
            Entry(
                "upstream_not_streaming", 502, .notStream, "One document came in place of a stream.",
                "Does the upstream speak what `speaks` says?"),
            Entry(
                "upstream_streaming", 502, .invalidJSON,
                "Events came in place of a document, and are no response together.",
                "Does the upstream speak what `speaks` says?"),
            Entry(
                "upstream_content_type", 502, .contentType, "The response is of another type than was asked for.",
                "Does `base_url` lead to the API, and not to a page?"),
            Entry(
                "upstream_invalid_json", 502, .invalidJSON, "The response, or an event of it, is not valid JSON.",
                "See the upstream's own log."),
            Entry(
                "compaction_failed", 502, .noSummary,
                "The upstream was asked to summarize the conversation, and wrote no complete text.",
                "Try again without a token limit, or shorten the conversation in the client."),
            Entry(
                "upstream_format", 502, .invalidJSON,
                "The response is none of the format that the upstream is said to speak.", "Check `speaks`."),
            Entry("upstream_oversize", 502, .oversize, "The response is larger than 64 MiB.", "Ask for less."),
            Entry(
                "upstream_oversize_event", 502, .oversize, "An event is larger than `limits: {event: ...}`.",
                "Raise it."),
            Entry(
                "upstream_encoding", 502, .encoding, "The response cannot be decoded from its `Content-Encoding`.",
                "See the upstream's own log."),
            Entry(
                "upstream_protocol", 502, .protocolViolation, "The response is not valid HTTP/1.1.",
                "Does `base_url` have the right port and scheme?"),
            Entry(
                "not_recorded", 404, .notRecorded,
                "Recordings are [replayed](cassettes.md), and none answers the request.",
                "Record it; the message says what differs."),
        ])

    private static let gateway = ErrorCatalogue(
        title: "The gateway",
        entries: [
            Entry(
                "gateway_shutdown", 503, .shutdown, "The gateway is shutting down.",
                "Try again; a stream is not complete."),
            Entry(
                "gateway_overloaded", 503, .overloaded, "The gateway has more work than its processors can do.",
                "Try again soon; if it recurs, give it more processors (`loops`)."),
            Entry(
                "body_memory", 503, .bodyMemory, "The memory for bodies (`limits: {body_memory: ...}`) is full.",
                "Try again soon, or raise it."),
            Entry(
                "middleware_failed", 500, .middleware, "Middleware that was added to the gateway failed.",
                "Its log names the error's type."),
            Entry(
                "internal_error", 500, .gatewayFailed,
                "The gateway failed.",
                "Its log says more; please report it."),
            Entry(
                "fault_injected", 500, .errorInSuccess,
                "[Injected](faults.md) on purpose, with the status that the rule says.", "Turn `fault_injection` off."),
        ])
}

extension ErrorCatalogue {
    /// The text of docs/errors.md.
    static var document: String {
        """
        # Errors

        Errors use the format of the route's API, and most have a `code`. These codes are the gateway's own. An error that an
        upstream reports keeps the upstream's code and message, without keys. The [log](logs.md) and `/status` show the code
        and more detail. The gateway can [try another target](reliability.md) before it returns an error; the tables say when.
        `make errors` generates this page.


        """ + all.map(\.section).joined(separator: "\n")
    }

    private var section: String {
        let rows = entries.map { entry in
            "| `\(entry.code)` | \(entry.status) | \(entry.meaning) | \(entry.retry) | \(entry.advice) |\n"
        }
        return "## \(title)\n\n| code | status | what it means | tried again | what to do |\n|---|---|---|---|---|\n"
            + rows.joined()
    }
}

extension ErrorCatalogue.Entry {
    fileprivate var retry: String {
        switch cause.retry {
        case .never: "no"
        case .sameTarget: "at any target"
        case .nextTarget: "at another target or with another key"
        }
    }
}
