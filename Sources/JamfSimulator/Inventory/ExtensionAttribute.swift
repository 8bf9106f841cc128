import ForsettiCore

/// A field that the organisation added to the inventory.
struct ExtensionAttribute: Sendable, Equatable {
  enum DataType: String, Sendable {
    case string = "STRING"
    case integer = "INTEGER"
    case dateTime = "DATE_TIME"
  }

  enum InputType: String, Sendable {
    case text = "TEXT"
    case popup = "POPUP"
    case script = "SCRIPT"
  }

  var number: Int
  var name: String
  var about: String
  var dataType: DataType
  var inputType: InputType
  var choices: [String] = []

  /// The last five are those that temporary administrator rights are followed by.
  static let computer = [
    ExtensionAttribute(
      number: 1, name: "Asset Owner", about: "Who answers for it", dataType: .string, inputType: .text),
    ExtensionAttribute(
      number: 2, name: "Disk Health", about: "", dataType: .string, inputType: .popup,
      choices: ["Good", "Fair", "Replace"]),
    ExtensionAttribute(number: 3, name: "Last Restart", about: "", dataType: .dateTime, inputType: .script),
    ExtensionAttribute(number: 4, name: "Uptime Days", about: "", dataType: .integer, inputType: .script),
    ExtensionAttribute(
      number: 5, name: "Temporary Admin Status", about: "", dataType: .string, inputType: .script),
    ExtensionAttribute(
      number: 6, name: "Temporary Admin User", about: "", dataType: .string, inputType: .script),
    ExtensionAttribute(
      number: 7, name: "Temporary Admin Expires At", about: "", dataType: .dateTime, inputType: .script),
    ExtensionAttribute(
      number: 8, name: "Temporary Admin Last Change", about: "", dataType: .dateTime, inputType: .script),
    ExtensionAttribute(
      number: 9, name: "Temporary Admin Run ID", about: "", dataType: .string, inputType: .script),
  ]

  static let mobileDevice = [
    ExtensionAttribute(
      number: 1, name: "Cart", about: "Where it is charged", dataType: .string, inputType: .popup,
      choices: ["None", "Cart A", "Cart B"]),
    ExtensionAttribute(number: 2, name: "Checked Out", about: "", dataType: .dateTime, inputType: .text),
    ExtensionAttribute(number: 3, name: "Case Number", about: "", dataType: .integer, inputType: .text),
  ]

  /// What a device reports; not every one of them.
  static func values(of attributes: [ExtensionAttribute], _ dice: inout Dice) -> [Int: String] {
    var values: [Int: String] = [:]
    for attribute in attributes where !attribute.name.hasPrefix("Temporary Admin") && dice.chance(75) {
      values[attribute.number] = attribute.value(&dice)
    }
    return values
  }

  private func value(_ dice: inout Dice) -> String {
    switch dataType {
    case .integer: String(dice.number(0...90))
    case .dateTime: timestampText(dice.moment(before: Organisation.inventoryTime, days: 90))
    case .string: choices.isEmpty ? dice.pick(Organisation.firstNames) : dice.pick(choices)
    }
  }
}
