/// A multipart form as clients send it.
struct SampleForm {
    static let boundary = "frontier-7"
    static let contentType = "multipart/form-data; boundary=\(boundary)"

    private(set) var text = ""

    /// Returns the form with a part appended.
    func part(_ name: String, _ content: String, fileName: String? = nil) -> SampleForm {
        var form = self
        let file = fileName.map { "; filename=\"\($0)\"\r\nContent-Type: audio/mpeg" } ?? ""
        form.text +=
            "--\(SampleForm.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n\(content)\r\n"
        return form
    }

    /// Form with its closing boundary.
    var whole: String { text + "--\(SampleForm.boundary)--\r\n" }

    /// Returns a form with a recording, and the model before or after it.
    static func recording(model: String, isModelFirst: Bool = true, sound: String = "sound") -> SampleForm {
        let form = SampleForm()
        return isModelFirst
            ? form.part("model", model).part("file", sound, fileName: "a.mp3")
            : form.part("file", sound, fileName: "a.mp3").part("model", model)
    }
}
