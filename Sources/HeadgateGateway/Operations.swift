/// The operation ids of `openapi.yaml`.
enum Operations {
    static let createChatCompletion = "createChatCompletion"
    static let listModels = "listModels"
    static let retrieveModel = "retrieveModel"
    static let getLiveness = "getLiveness"
    static let getReadiness = "getReadiness"
    static let getHealth = "getHealth"
}
