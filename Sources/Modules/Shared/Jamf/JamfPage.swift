internal import ForsettiModuleKit

/// One page of a list of Jamf Pro's.
struct JamfPage: Sendable {
  /// The records.
  var items: [JSONValue]
  /// How many the whole list has, where Jamf Pro says so.
  var total: Int?
  /// Counted from 0 in the order in which pages come.
  var index: Int
}

extension JamfPage {
  private static let itemKeys = ["results", "records", "items", "devices", "data"]

  /// Reads a page in any of the shapes that Jamf Pro gives one.
  init(_ json: JSONValue, index: Int) throws(JamfFailure) {
    self.index = index
    let found = json.elements ?? Self.itemKeys.lazy.compactMap { json[$0]?.elements }.first
    guard let found, found.allSatisfy({ $0.members != nil }) else {
      throw .unreadable("a list of records was expected.")
    }
    items = found
    let stated = [json["totalCount"], json["total"], json["page"]?["totalElements"]]
    guard let count = stated.lazy.compactMap({ $0 }).first(where: { !$0.isNull }) else { return }
    guard let total = count.integerValue, 0...Int64(Int32.max) ~= total else {
      throw .unreadable("the total of a list is no count.")
    }
    self.total = Int(total)
  }

  /// What tells it from other pages, of whatever size: a hash of the ID of its first record, or of the ends of a page whose
  /// records have none; so it is small, however much a server sends. Each process hashes with a key of its own, and no
  /// server can make two pages look alike. Nothing for an empty page.
  var mark: Int? {
    guard let first = items.first, let last = items.last else { return nil }
    var hasher = Hasher()
    if let identity = Self.identity(first) {
      hasher.combine(identity)
    } else {
      hasher.combine(items.count)
      hasher.combine(JSONWriter.text(first))
      hasher.combine(JSONWriter.text(last))
    }
    return hasher.finalize()
  }

  private static func identity(_ record: JSONValue) -> String? {
    for key in ["id", "mobileDeviceId", "uuid", "udid", "serialNumber", "managementId"] {
      if let text = record[key]?.stringValue { return text }
      if let number = record[key]?.integerValue { return "\(number)" }
    }
    return nil
  }
}
