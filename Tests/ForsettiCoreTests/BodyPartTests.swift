import ForsettiCore
import Testing

@Suite struct BodyPartTests {
  private static let asked: [([HTTPField], Int?)] = [
    ([], nil), ([HTTPField("Forsetti-Body-Offset", "0")], 0),
    ([HTTPField("forsetti-body-offset", "983040")], 983_040),
    ([HTTPField(BodyPart.offsetField, "4194304")], 4_194_304),
    ([HTTPField(BodyPart.offsetField, "4194305")], nil), ([HTTPField(BodyPart.offsetField, "-1")], nil),
    ([HTTPField(BodyPart.offsetField, "+1")], nil), ([HTTPField(BodyPart.offsetField, "")], nil),
    ([HTTPField(BodyPart.offsetField, "99999999999999999999")], nil),
    ([HTTPField(BodyPart.offsetField, "1"), HTTPField(BodyPart.offsetField, "1")], nil),
  ]

  @Test("a part begins at one number within the largest body, or nowhere", arguments: asked)
  func offset(headers: [HTTPField], expected: Int?) {
    #expect(BodyPart.offset(in: headers) == expected)
  }

  @Test("what an answer says of its whole body is read back the same, and half of it is nothing")
  func fields() {
    let part = BodyPart(length: 1_000_000, digest: "ab")
    #expect(BodyPart([HTTPField("Content-Type", "x")] + part.fields) == part)
    for field in part.fields { #expect(BodyPart([field]) == nil) }
    #expect(BodyPart(BodyPart(length: BodyPart.largestBody + 1, digest: "ab").fields) == nil)
  }
}
