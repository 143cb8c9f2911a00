/// A file of the pages that is part of the program.
struct WebAsset: Sendable {
    let type: String
    let bytes: [UInt8]
    /// The value of its `ETag`: changes with the content, and only with it.
    let entityTag: String

    init(type: String, bytes: [UInt8], entityTag: String? = nil) {
        self.type = type
        self.bytes = bytes
        self.entityTag = entityTag ?? WebAsset.entityTag(of: bytes)
    }

    static func entityTag(of bytes: [UInt8]) -> String { "\"\(KeyDigest(of: bytes).hexadecimal.prefix(32))\"" }

    static let emptyScript = WebAsset(type: script, bytes: [])

    static let chatPage = WebAsset(type: html, bytes: PackageResources.chat_html)
    static let statusPage = WebAsset(type: html, bytes: PackageResources.status_html)

    /// What the pages load, by name.
    static let all: [String: WebAsset] = {
        let scripts = [
            "access.js": PackageResources.access_js, "answering.js": PackageResources.answering_js,
            "asking.js": PackageResources.asking_js, "attachment-store.js": PackageResources.attachment_store_js,
            "attachment-view.js": PackageResources.attachment_view_js,
            "attachments.js": PackageResources.attachments_js, "branches.js": PackageResources.branches_js,
            "charts.js": PackageResources.charts_js, "chat.js": PackageResources.chat_js,
            "checked.js": PackageResources.checked_js, "clipboard.js": PackageResources.clipboard_js,
            "completion.js": PackageResources.completion_js,
            "completions-form.js": PackageResources.completions_form_js, "composer.js": PackageResources.composer_js,
            "context-meter.js": PackageResources.context_meter_js,
            "conversation-entry.js": PackageResources.conversation_entry_js,
            "conversation.js": PackageResources.conversation_js, "docs.js": PackageResources.docs_js,
            "dom.js": PackageResources.dom_js, "events.js": PackageResources.events_js,
            "exchange.js": PackageResources.exchange_js, "failure.js": PackageResources.failure_js,
            "figures.js": PackageResources.figures_js, "filters.js": PackageResources.filters_js,
            "follow.js": PackageResources.follow_js, "highlighting.js": PackageResources.highlighting_js,
            "key.js": PackageResources.key_js, "keys-view.js": PackageResources.keys_view_js,
            "library.js": PackageResources.library_js, "markdown.js": PackageResources.markdown_js,
            "math-letters.js": PackageResources.math_letters_js, "math-markdown.js": PackageResources.math_markdown_js,
            "math.js": PackageResources.math_js, "message-actions.js": PackageResources.message_actions_js,
            "message-ending.js": PackageResources.message_ending_js,
            "message-view.js": PackageResources.message_view_js, "messages-form.js": PackageResources.messages_form_js,
            "models.js": PackageResources.models_js, "narrow.js": PackageResources.narrow_js,
            "place.js": PackageResources.place_js, "presets.js": PackageResources.presets_js,
            "request-view.js": PackageResources.request_view_js, "request.js": PackageResources.request_js,
            "routes.js": PackageResources.routes_js, "rows.js": PackageResources.rows_js,
            "same.js": PackageResources.same_js, "search.js": PackageResources.search_js,
            "settings-panel.js": PackageResources.settings_panel_js, "sidebar.js": PackageResources.sidebar_js,
            "status-view.js": PackageResources.status_view_js, "status.js": PackageResources.status_js,
            "text-file.js": PackageResources.text_file_js, "theme.js": PackageResources.theme_js,
            "thread.js": PackageResources.thread_js, "tool-calls.js": PackageResources.tool_calls_js,
            "usage-view.js": PackageResources.usage_view_js,
        ]
        let styles = [
            "chat.css": PackageResources.chat_css, "docs.css": PackageResources.docs_css,
            "messages.css": PackageResources.messages_css, "page.css": PackageResources.page_css,
            "status.css": PackageResources.status_css,
        ]
        var all = scripts.mapValues { WebAsset(type: script, bytes: $0) }
        for (name, bytes) in styles { all[name] = WebAsset(type: "text/css; charset=utf-8", bytes: bytes) }
        all["icon.svg"] = WebAsset(type: "image/svg+xml", bytes: PackageResources.icon_svg)
        return all
    }()

    static let script = "text/javascript; charset=utf-8"
    private static let html = "text/html; charset=utf-8"
}
