import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("Uploads") struct MultipartFormTests {
  @Test("parts come between boundaries, each behind its own header") func body() throws {
    let form = try MultipartForm(
      [
        .init(
          name: "file", fileName: "icon é.png", contentType: "image/png", data: [0, 13, 10, 255]),
        .init(name: "note", data: Array("x".utf8)),
      ], boundary: "B")
    var expected = Array(
      """
      --B\r
      Content-Disposition: form-data; name="file"; filename="icon é.png"\r
      Content-Type: image/png\r
      \r\n
      """.utf8)
    expected += [0, 13, 10, 255]
    expected +=
      "\r\n--B\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nx\r\n--B--\r\n".utf8
    #expect(form.body == expected)
    #expect(form.contentType == "multipart/form-data; boundary=B")
  }

  @Test(
    "a name that would forge a header is refused, and so is nothing at all",
    arguments: ["a\rb", "a\nb", "a\r\nb", "a\"b", "a\u{0}b"])
  func forged(text: String) {
    #expect(throws: JamfFailure.self) { try MultipartForm([.init(name: text, data: [])]) }
    #expect(throws: JamfFailure.self) {
      try MultipartForm([.init(name: "a", fileName: text, data: [])])
    }
    #expect(throws: JamfFailure.self) {
      try MultipartForm([.init(name: "a", contentType: text, data: [])])
    }
    #expect(throws: JamfFailure.self) {
      try MultipartForm([.init(name: "a", data: [])], boundary: text)
    }
    #expect(throws: JamfFailure.self) { try MultipartForm([]) }
  }

  @Test("each form has a boundary of its own") func boundaries() throws {
    let parts = [MultipartForm.Part(name: "a", data: [])]
    #expect(try MultipartForm(parts).contentType != MultipartForm(parts).contentType)
  }

  @Test("an upload is a POST of the form") func upload() async throws {
    let api = ScriptedAPI(status: 201, #"{"id": 7}"#)
    let form = try MultipartForm([.init(name: "a", data: [1])], boundary: "B")
    #expect(try await JamfClient(api: api).upload("/api/v1/icon", form)["id"]?.integerValue == 7)
    #expect(api.requests[0].method == "POST")
    #expect(api.requests[0].body == form.body)
    #expect(api.requests[0].headers.contains(HTTPField("Content-Type", form.contentType)))
  }
}
