internal import ForsettiModuleKit

/// What a technician writes down about a Mac: a text file that Jamf Pro keeps with the Mac's record.
struct SupportNote: Sendable, Equatable {
  /// Why there is nothing to attach.
  enum Refusal: Error, Sendable, Equatable {
    case empty
    case tooLong

    /// One line for people: what is wrong, and what to do.
    var advice: String {
      switch self {
      case .empty: "The note is empty; write what is to be kept."
      case .tooLong: "The note has more than \(SupportNote.limit) bytes; attach it in parts."
      }
    }
  }

  /// Not blank.
  let text: String

  /// Bytes of a note at most: it comes in one event, and is read by people.
  static let limit = 8_192

  /// Reads what a form sent.
  init(_ payload: [String: String]) throws(Refusal) {
    let text = (payload["note"] ?? "").trimmedScalars
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.limit else { throw .tooLong }
    self.text = text
  }

  /// The upload, in the versions of the call. Whoever finds the file elsewhere sees of which Mac it is.
  /// - Parameter time: milliseconds since 1970.
  func attempts(_ id: SupportDeviceID, _ device: SupportDevice, at time: Int64) throws(JamfFailure)
    -> SupportAttempts
  {
    let contents = """
      Support note of \(timestampText(time))
      \(device.name), serial number \(device.serial)

      \(text)

      """
    let form = try MultipartForm([
      MultipartForm.Part(
        name: "file", fileName: ExportFileName.make("support-note", at: time, fileExtension: "txt"),
        contentType: "text/plain; charset=utf-8", data: Array(contents.utf8))
    ])
    return SupportAttempts(
      calls: SupportEndpoints.attachments.map { .post($0.path(id.inventoryID), .form(form)) })
  }
}
