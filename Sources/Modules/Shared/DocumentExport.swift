internal import ForsettiModuleKit

/// Writes documents for people into the module's export folder.
@MainActor
struct DocumentExport {
  let context: ForsettiContext

  /// Writes the documents as one file, or as several that are numbered, and returns their paths.
  /// - Parameter time: milliseconds since 1970, for the names.
  func write(
    _ documents: [[UInt8]], prefix: String, at time: Int64, fileExtension: String
  ) async throws(ServiceError) -> [String] {
    guard let service = context.services.fileExport else {
      throw .serviceDenied(.notGranted, detail: "file_export")
    }
    var paths: [String] = []
    for (index, document) in documents.enumerated() {
      let part = documents.count > 1 ? "\(prefix)-part\(index + 1)of\(documents.count)" : prefix
      let name = ExportFileName.make(part, at: time, fileExtension: fileExtension)
      paths.append(try await service.export(document, suggestedFileName: name))
    }
    return paths
  }
}
