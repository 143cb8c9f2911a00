import JSONBytes

/// The form in which the client receives a call.
enum ChatCallKind {
    case function
    /// A call of a tool with free-text input.
    case custom
    /// The older form, which is outside `tool_calls`.
    case functionCall
    /// A call that is not written: every call after the first, for a client that can handle only one per response.
    case untold

    var beforeName: String {
        switch self {
        case .function: #","type":"function","function":{"name":"#
        case .custom: #","type":"custom","custom":{"name":"#
        case .functionCall, .untold: #"{"function_call":{"name":"#
        }
    }

    var afterName: String {
        switch self {
        case .function: #","arguments":""}}]}"#
        case .custom: #","input":""}}]}"#
        case .functionCall, .untold: #","arguments":""}}"#
        }
    }

    var beforeFragment: String {
        switch self {
        case .function: #""function":{"arguments":"#
        case .custom: #""custom":{"input":"#
        case .functionCall, .untold: #"{"function_call":{"arguments":"#
        }
    }

    var afterFragment: String {
        switch self {
        case .function, .custom: "}}]}"
        case .functionCall, .untold: "}}"
        }
    }

    var isElement: Bool { self == .function || self == .custom }
}

extension ChatStreamWriter {
    /// Bytes that a call counts toward the limit of held bytes.
    private static let callWeight = 128

    mutating func writeCall(
        _ index: Int, _ id: String, _ name: String, isCustom: Bool, to output: inout [UInt8]
    ) throws(ResponseFault) {
        try hold(Self.callWeight)
        forgetReasoning()
        let name = context.toolName(name)
        let kind = kind(ofCallTo: name, isCustom: isCustom)
        calls.append(Call(index: index, kind: kind, wrapped: kind == .custom && !isCustom ? "" : nil))
        guard kind != .untold else { return }
        chunk(&output) { output in
            if kind.isElement {
                output += #"{"tool_calls":[{"index":\#(index),"id":"#.utf8
                JSONEscaping.append(id, to: &output)
            }
            output += kind.beforeName.utf8
            JSONEscaping.append(name, to: &output)
            output += kind.afterName.utf8
        }
    }

    private func kind(ofCallTo name: String, isCustom: Bool) -> ChatCallKind {
        if context.knowsFunctionCalls { return calls.isEmpty ? .functionCall : .untold }
        return isCustom || context.customTools.contains(name) ? .custom : .function
    }

    mutating func writeArguments(
        _ index: Int, _ fragment: String, to output: inout [UInt8]
    ) throws(ResponseFault) {
        guard !fragment.isEmpty, let place = calls.lastIndex(where: { $0.index == index }) else { return }
        calls[place].hasArguments = true
        if calls[place].wrapped != nil {
            try hold(fragment.utf8.count)
            calls[place].wrapped?.append(fragment)
        } else {
            writeFragment(fragment, of: calls[place], to: &output)
        }
    }

    private mutating func writeFragment(_ fragment: String, of call: Call, to output: inout [UInt8]) {
        guard call.kind != .untold else { return }
        chunk(&output) { output in
            if call.kind.isElement { output += #"{"tool_calls":[{"index":\#(call.index),"#.utf8 }
            output += call.kind.beforeFragment.utf8
            JSONEscaping.append(fragment, to: &output)
            output += call.kind.afterFragment.utf8
        }
    }

    /// Writes the parts of the calls that can only be written once all calls are complete.
    mutating func finishCalls(_ output: inout [UInt8]) {
        for call in calls {
            if let wrapped = call.wrapped {
                writeFragment(ChatTools.unwrapped(wrapped), of: call, to: &output)
            } else if !call.hasArguments, call.kind != .custom {
                writeFragment(ToolCall.noArguments, of: call, to: &output)
            }
        }
        calls = []
    }
}
