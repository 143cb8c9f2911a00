import HeadgatePrimitives
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("ÿ?>", "w78/Pg=="),
    ]) func examplesOfTheStandardAreEncodedAndDecoded(_ text: String, _ encoded: String) {
        let octets = Array(text.utf8)
        #expect(Base64.encode(octets) == encoded)
        #expect(Base64.decode(encoded) == octets)
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.encodeForURL(octets) == unpadded.replacing("/", with: "_").replacing("+", with: "-"))
        for other in [encoded, unpadded, Base64.encodeForURL(octets), encoded + "\n"] {
            #expect(Base64.decodeLeniently(other) == octets)
        }
    }

    @Test(arguments: ["Zg=", "Zg", "Z===", "Zg==Zg==", "Zm9_", "Zm 9", "Zm9v\n", "===="])
    func otherFormsAreNotBase64(_ text: String) { #expect(Base64.decode(text) == nil) }

    @Test func otherCharactersAreRefused() {
        for text in ["Zm 9v", "Zm9v%", "Zm9vé"] { #expect(Base64.decodeLeniently(text) == nil) }
    }
}
