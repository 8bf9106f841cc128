import ForsettiCore
import ForsettiHTTP

/// Files with the record of a computer.
enum AttachmentRoutes {
  /// Files of one computer at most.
  private static let limit = 100

  static let all: [Route] =
    Route.versions(1...3, "POST", "/computers-inventory/{id}/attachments", [.updateComputers]) {
      (tenant, call, version) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      let parts = try MultipartBody(call.request).parts
      guard parts.count == 1, parts[0].name == "file", let name = parts[0].fileName, !name.isEmpty else {
        throw .invalid("file", "one file is expected")
      }
      guard computer.attachments.count < limit else { throw .invalid("file", "there are too many files") }
      let number = computer.attachments.count + 1
      tenant.fleet.computers[computer.number - 1].attachments.append(
        Attachment(number: number, name: name, type: parts[0].contentType, data: parts[0].data))
      let path = "/v\(version)/computers-inventory/\(computer.number)/attachments/\(number)"
      return .json(.object([("id", RecordJSON.id(number)), ("href", .string(path))]), .created)
    }
    + Route.versions(1...3, "GET", "/computers-inventory/{id}/attachments/{file}", [.readComputers]) {
      (tenant, call, _) throws(APIFault) in
      let number = try call.number(1)
      guard
        let file = try ComputerRoutes.computer(tenant, call).attachments.first(where: { $0.number == number })
      else { throw .notFound("There is no attachment \(number)") }
      return ServerResponse(.ok, headers: ["Content-Type": "application/octet-stream"], body: file.data)
    }
}

/// A file with the record of a computer.
struct Attachment: Sendable, Equatable {
  /// From 1, for each computer.
  var number: Int
  var name: String
  /// Its media type, where the client said so.
  var type: String?
  var data: [UInt8]

  var json: JSONValue {
    .object([
      ("id", RecordJSON.id(number)), ("name", .string(name)), ("fileType", .string(type)),
      ("sizeBytes", .integer(data.count)),
    ])
  }
}
