/// The members of a request that every response of the Responses API repeats.
enum ResponsesEcho {
    static func members(of request: JSONObject) -> JSONObject { JSONObject() }
}
