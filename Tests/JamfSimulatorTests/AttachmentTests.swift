import ForsettiCore
import ForsettiHTTP
import Testing

@testable import JamfSimulator

@Suite struct AttachmentTests {
  private var client = APIClient()
  private let path = "/api/v1/computers-inventory/1/attachments"
  private static let type = "multipart/form-data; boundary=B"
  private static let head = "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\""

  private mutating func post(_ body: String, _ type: String = Self.type) -> APIClient.Answer {
    client.send("POST", path, headers: ["Content-Type": type], body: Array(body.utf8))
  }

  @Test("a file is kept byte by byte, and shows in the record") mutating func kept() throws {
    let answer = post("--B\r\n\(Self.head)\r\nContent-Type: text/plain\r\n\r\na\r\n--C\r\nb\r\n--B--\r\n")
    #expect(answer.status == 201)
    #expect(answer.json["href"]?.stringValue == "/v1/computers-inventory/1/attachments/1")
    guard case .bytes(let bytes) = client.get(path + "/1").served.response.body else { return }
    #expect(String(decoding: bytes, as: UTF8.self) == "a\r\n--C\r\nb")
    let record = client.get("/api/v3/computers-inventory/1", [("section", "ATTACHMENTS")]).json
    let file = try #require(record["attachments"]?.elements?.first)
    #expect(file["name"]?.stringValue == "a.txt")
    #expect(file["fileType"]?.stringValue == "text/plain")
    #expect(file["sizeBytes"]?.integerValue == 9)
  }

  private static let broken = [
    "", "--B--\r\n", "--B\r\n--B--\r\n", "--B\r\n\(head)\r\n\r\nx", "--B\r\n\(head)\r\n\r\nx\r\n--B--",
    "x--B\r\n\(head)\r\n\r\nx\r\n--B--\r\n",
    "--B\n\(head)\n\nx\n--B--\n", "--B\r\n\(head)\r\nx\r\n--B--\r\n", "--B\r\n\r\n\r\nx\r\n--B--\r\n",
    "--B\r\nContent-Disposition: form-data; name=\"other\"; filename=\"a\"\r\n\r\nx\r\n--B--\r\n",
    "--B\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--B--\r\n",
    "--B\r\n\(head)\r\n\r\nx\r\n--B\r\n\(head)\r\n\r\nx\r\n--B--\r\n",
  ]

  @Test("a form that is broken, or is not of one file, is refused and nothing is kept", arguments: broken)
  mutating func refused(body: String) {
    #expect(post(body).status == 400)
    #expect(client.get(path + "/1").status == 404)
  }

  @Test("what is no form is told so", arguments: ["application/json", "multipart/form-data", type + "\""])
  mutating func otherType(type: String) { #expect(post("--B--\r\n", type).status == 415) }
}
