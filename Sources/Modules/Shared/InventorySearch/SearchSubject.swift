internal import ForsettiModuleKit

/// One kind of device and how it is searched for: all in which the search of computers differs from that of mobile devices.
struct SearchSubject: Sendable {
  /// Of the view.
  var viewID: String
  /// As "computer".
  var noun: String
  var plural: String
  /// The record's name where it has none.
  var unknownName: String
  var catalogue: InventoryCatalogue
  var route: SearchRoute
  /// The key of the record's name, which is the first column.
  var nameKey: String
  /// The name of the record's ID in filters, and where it stands in a record.
  var idKey: String
  /// Shown where no profile says other columns.
  var columns: [String]
  /// Free text is looked for in these, then in the columns.
  var identityKeys: [String]
  /// Free text is looked for in these where Jamf Pro takes none of the others.
  var basicKeys: [String]
  /// Sections that a list needs besides those of its columns.
  var listSections: [String]
  /// Sections of a record that is shown whole.
  var detailSections: [String]
  /// Where the definitions of extension attributes are, the newest version first.
  var attributePaths: [String]
  /// The member under which the Classic API lists them, by name alone.
  var classicAttributes: String
  /// Of the keys of extension attributes, as `cea_`.
  var attributePrefix: String
  /// What of a record is told at a glance.
  var summary: @Sendable (InventoryRecord) -> DeviceSummary
  /// Where PreStages are, and the keys of the fields that tell a record's PreStage and its serial number.
  var prestages: PrestageCalls
  var prestageKey: String
  var serialKey: String
  /// The store that profiles and filters are kept in.
  var store: String

  /// The name of a record, for people.
  func title(_ record: InventoryRecord) -> String { record[nameKey] ?? unknownName }

  /// Tells in a record which PreStage has its device.
  func tell(_ map: PrestageMap, in record: inout InventoryRecord) {
    record.set(map.text(serial: record[serialKey], recorded: record[prestageKey]), for: prestageKey)
  }
}

/// Where a list is asked for, and in which ways when one is refused.
struct SearchRoute: Sendable {
  /// Paths of the list, the newest version first.
  var versions: [String]
  /// As `general.name:asc`.
  var sort: String
  /// Names of sections in older versions of Jamf Pro, by their present ones; empty where they never changed.
  var olderSections: [String: String]
  /// Sections that the oldest version alone has; a newer one is never asked for them.
  var oldestSections: Set<String> = []
}
