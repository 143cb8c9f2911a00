import HeadgatePrimitives
import Testing

@Suite struct DecimalTextTests {
    @Test(arguments: [
        (0, 12, "0"), (1, 12, "0.000000000001"), (510_000_000, 12, "0.00051"), (1_000_000_000_000, 12, "1"),
        (-1_250_000, 6, "-1.25"), (20_000_000, 6, "20"), (7, 0, "7"), (-70, 0, "-70"), (83, 2, "0.83"),
        (Int.max, 12, "9223372.036854775807"), (Int.min, 18, "-9.223372036854775808"),
    ]) func numberIsWrittenWithoutZerosAtItsEnd(_ number: Int, _ digits: Int, _ text: String) {
        #expect(DecimalText.text(number, digits: digits) == text)
        if number >= 0 { #expect(DecimalText.number(text, digits: digits) == number) }
    }
}
