/// Who uses a device, and where.
struct Person: Sendable, Equatable {
  var username: String
  var realName: String
  var position: String
  var phone: String
  /// A place in `Organisation.departments`, from 1.
  var department: Int
  /// A place in `Organisation.buildings`, from 1.
  var building: Int
  var room: String

  /// A domain that no mail ever reaches (RFC 2606).
  var email: String { "\(username)@example.invalid" }
  var departmentName: String { Organisation.departments[department - 1] }
  var buildingName: String { Organisation.buildings[building - 1] }

  /// The number keeps usernames apart: there are more people than names.
  init(number: Int, _ dice: inout Dice) {
    let first = dice.pick(Organisation.firstNames)
    let last = dice.pick(Organisation.lastNames)
    realName = "\(first) \(last)"
    username = "\(first).\(last.filter { $0 != "'" })\(number)".lowercased()
    position = dice.pick(Organisation.positions)
    phone = "+49 30 5550\(dice.number(1_000...9_999))"
    department = dice.number(1...Organisation.departments.count)
    building = dice.number(1...Organisation.buildings.count)
    room = "\(dice.number(0...6)).\(dice.number(10...48))"
  }

  /// `Ada’s MacBook Air`, as a device is named by whoever first switches it on; with its number where nobody did.
  static func deviceName(_ kind: String, of user: Person?, _ number: Int) -> String {
    guard let first = user?.realName.split(separator: " ").first else { return "\(kind) \(number)" }
    return "\(first)’s \(kind)"
  }
}

/// How a device was bought.
struct Purchase: Sendable, Equatable {
  var isLeased: Bool
  var orderNumber: String
  var vendor: String
  var appleCareID: String?
  /// Whole euros.
  var price: Int
  /// Milliseconds since 1970.
  var orderDate: Int64
  var warrantyEnd: Int64
  /// Years.
  var lifeExpectancy: Int

  init(_ dice: inout Dice) {
    isLeased = dice.chance(20)
    orderNumber = "PO-\(dice.number(10_000...99_999))"
    vendor = dice.pick(Organisation.vendors)
    appleCareID = dice.chance(60) ? "AC\(dice.number(100_000...999_999))" : nil
    price = dice.number(5...40) * 100 - 1
    orderDate = dice.moment(before: Organisation.inventoryTime, days: 1_500)
    lifeExpectancy = dice.number(3...6)
    warrantyEnd = orderDate + 3 * 365 * 86_400_000
  }
}

/// Serial numbers: ten characters, different for every number.
enum SerialNumber {
  /// Without the letters that one takes for digits.
  private static let alphabet = Array("0123456789CDFGHJKLMNPQRTVWXY")

  static func make(_ number: Int, prefix: String, _ dice: inout Dice) -> String {
    // 28⁶ numbers, stepped through by a factor that shares no divisor with it: no two come out the same.
    let space = 481_890_304
    var rest = number.magnitude % UInt(space)
    rest = rest * 300_000_007 % UInt(space)
    var text = prefix
    for _ in prefix.count..<4 { text.append(dice.pick(alphabet)) }
    for _ in 0..<6 {
      text.append(alphabet[Int(rest % UInt(alphabet.count))])
      rest /= UInt(alphabet.count)
    }
    return text
  }
}
