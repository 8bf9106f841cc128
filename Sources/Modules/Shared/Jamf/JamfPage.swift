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

  /// What tells it from other pages, of whatever size: the ID of its first record, or the ends of a page whose records have
  /// none. Nothing for an empty one.
  var mark: String? {
    guard let first = items.first, let last = items.last else { return nil }
    return Self.identity(first) ?? "\(items.count) \(JSONWriter.text(first)) \(JSONWriter.text(last))"
  }

  private static func identity(_ record: JSONValue) -> String? {
    for key in ["id", "mobileDeviceId", "uuid", "udid", "serialNumber", "managementId"] {
      if let text = record[key]?.stringValue { return text }
      if let number = record[key]?.integerValue { return "\(number)" }
    }
    return nil
  }
}
