extension MessagesRequestDraft {
    /// Adds the settings that the format and the model support, and drops the others.
    mutating func addSettings(_ thinking: MessagesThinking) throws(TranslationError) {
        for feature in Feature.allCases {
            guard let value = request.settings[feature] else { continue }
            switch feature {
            case .temperature: addTemperature(value, thinking)
            case .topP: addTopP(value, thinking)
            case .topK: addTopK(value, thinking)
            case .user: addUser(value, feature)
            case .safetyIdentifier: addUser(value, feature)
            case .serviceTier: addServiceTier(value)
            case .choices: if value != 1 { throw losses.refusal(of: feature, by: .messages) }
            case _ where feature.exists(in: .messages): body[feature.name(in: .messages)] = value
            default: losses.drop(feature)
            }
        }
    }

    private mutating func addTemperature(_ value: JSONValue, _ thinking: MessagesThinking) {
        let isUsual = value.double == 1
        guard claude.takesSampling, !thinking.isOn else {
            if !isUsual { losses.drop(.temperature) }
            return
        }
        switch value.double {
        case .some(let temperature) where temperature > 1:
            losses.drop(.temperature)
            body["temperature"] = 1
        case .some(let temperature) where temperature < 0:
            losses.drop(.temperature)
            body["temperature"] = 0
        default: body["temperature"] = value
        }
    }

    private mutating func addTopP(_ value: JSONValue, _ thinking: MessagesThinking) {
        let share = value.double ?? 0
        let isTaken = claude.takesSampling && (!thinking.isOn || (0.95...1).contains(share))
        let isAlone = claude.takesTemperatureWithTopP || body["temperature"] == nil
        if isTaken, isAlone {
            body["top_p"] = value
        } else if share != 1 {
            losses.drop(.topP)
        }
    }

    private mutating func addTopK(_ value: JSONValue, _ thinking: MessagesThinking) {
        guard claude.takesSampling, !thinking.isOn else { return losses.drop(.topK) }
        body["top_k"] = value
    }

    /// Adds the user. A `safety_identifier` comes after a `user` and replaces it, as OpenAI documents.
    private mutating func addUser(_ value: JSONValue, _ feature: Feature) {
        guard let user = value.string, MessagesUser.isTaken(user) else { return losses.drop(feature) }
        if let former = body["metadata"]?["user_id"], former != value { losses.drop(.user) }
        body["metadata"] = ["user_id": value]
    }

    private mutating func addServiceTier(_ value: JSONValue) {
        switch value {
        case "auto": body["service_tier"] = "auto"
        case "default": body["service_tier"] = "standard_only"
        default: losses.drop(.serviceTier)
        }
    }
}

/// Ids of users. The provider forbids ids that reveal a person's identity.
enum MessagesUser {
    private static let maximumLength = 256

    static func isTaken(_ id: String) -> Bool {
        !id.isBlank && id.count <= maximumLength && !id.contains("@") && !isPhoneNumber(id)
    }

    private static func isPhoneNumber(_ id: String) -> Bool {
        let digits = id.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits >= 7
            && id.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || Array(" +-().".utf8).contains(byte)
            }
    }
}
