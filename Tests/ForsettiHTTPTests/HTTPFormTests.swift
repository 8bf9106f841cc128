import Testing

@testable import ForsettiHTTP

@Suite struct HTTPFormTests {
  private static let forms: [(String, [String]?)] = [
    ("a=1&b=%C3%BC+%2B", ["a:1", "b:ü +"]), ("", []), ("a", ["a:"]), ("a=b=c", ["a:b=c"]), ("a=%", nil),
    ("a=%ff", nil),
    (String(repeating: "a=1&", count: HTTPTarget.maximumParameters) + "a=1", nil),
  ]

  @Test("a body is read as a form, or is none", arguments: forms)
  func form(text: String, fields: [String]?) {
    let query = HTTPQuery(form: Array(text.utf8))
    #expect(query?.fields.map { "\($0.name):\($0.value)" } == fields)
  }
}
