#if canImport(SwiftUI)
    import HeadgateClientURLSession
    import SwiftUI

    /// A chat: bubbles, the reply as it grows, and a text field for the prompt.
    struct ChatView: View {
        let conversation: Conversation
        @State private var draft = ""

        var body: some View {
            VStack(spacing: 0) {
                ScrollView {
                    LazyVStack(alignment: .leading, spacing: 12) {
                        ForEach(conversation.messages) { entry in
                            Bubble(text: entry.message.text, isMine: entry.message.role == .user)
                        }
                        if let answer = conversation.answer {
                            Bubble(text: answer.content.isEmpty ? "…" : answer.content, isMine: false)
                        }
                        if let failure = conversation.failure {
                            Text(failure.localizedDescription).foregroundStyle(.red)
                        }
                    }
                    .padding()
                }
                .defaultScrollAnchor(.bottom)
                Divider()
                HStack {
                    TextField("Message", text: $draft, axis: .vertical).onSubmit(send)
                    if conversation.isAnswering {
                        Button("Stop", systemImage: "stop.fill", action: conversation.stop)
                    } else {
                        Button("Send", systemImage: "arrow.up", action: send)
                            .disabled(draft.allSatisfy(\.isWhitespace))
                    }
                }
                .labelStyle(.iconOnly)
                .padding()
            }
            .toolbar { Button("New chat", systemImage: "square.and.pencil", action: conversation.clear) }
        }

        private func send() {
            let prompt = draft
            draft = ""
            Task {
                await conversation.send(prompt)
                if draft.isEmpty, let prompt = conversation.takenBack { draft = prompt.text }
            }
        }
    }

    /// A message of the user or of the model, whose replies are Markdown.
    private struct Bubble: View {
        let text: String
        let isMine: Bool

        private var formatted: AttributedString {
            let options = AttributedString.MarkdownParsingOptions(interpretedSyntax: .inlineOnlyPreservingWhitespace)
            return (try? AttributedString(markdown: text, options: options)) ?? AttributedString(text)
        }

        var body: some View {
            Text(formatted)
                .textSelection(.enabled)
                .padding(10)
                .background(isMine ? Color.accentColor.opacity(0.2) : Color.secondary.opacity(0.15))
                .clipShape(RoundedRectangle(cornerRadius: 12))
                .frame(maxWidth: .infinity, alignment: isMine ? .trailing : .leading)
        }
    }
#endif
