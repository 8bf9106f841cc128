/// An enrolment profile that the vendor's devices are given before they are first switched on, and who is in it.
struct Prestage: Sendable, Equatable {
  var number: Int
  var name: String
  /// Counts changes of the profile itself.
  var versionLock = 0
  var scope = PrestageScope()

  static let computerNames = ["Standard Mac", "Design Mac", "Classroom Mac", "Shared Mac"]
  static let mobileNames = [
    "Staff iPhone", "Classroom iPad", "Shared Device PreStage", "Kiosk", "Loan Pool", "Executive",
  ]
}

/// The serial numbers that a PreStage is for. Everyone who changes it says which state they have seen, and is refused
/// where it is an older one.
struct PrestageScope: Sendable, Equatable {
  struct Assignment: Sendable, Equatable {
    var serialNumber: String
    /// Milliseconds since 1970.
    var date: Int64
    var user: String
  }

  /// Why a change is refused.
  enum Refusal: Error, Sendable, Equatable {
    /// Somebody changed it meanwhile.
    case outdated(current: Int)
    /// Already in this or another PreStage.
    case alreadyScoped([String])
    /// The vendor never named them to this server.
    case unknownSerials([String])
  }

  private(set) var assignments: [Assignment] = []
  private var serials: Set<String> = []
  /// Counts changes.
  private(set) var versionLock = 0

  func contains(_ serial: String) -> Bool { serials.contains(serial) }

  /// How it is filled before the server runs; counts as no change.
  mutating func seed(_ assignment: Assignment) {
    assignments.append(assignment)
    serials.insert(assignment.serialNumber)
  }

  mutating func add(_ serials: [String], by user: String, now: Int64) {
    for serial in serials where !contains(serial) {
      seed(Assignment(serialNumber: serial, date: now, user: user))
    }
    versionLock += 1
  }

  mutating func remove(_ serials: [String]) throws(Refusal) {
    let strangers = serials.filter { !contains($0) }
    guard strangers.isEmpty else { throw .unknownSerials(strangers) }
    let gone = Set(serials)
    assignments.removeAll { gone.contains($0.serialNumber) }
    self.serials.subtract(gone)
    versionLock += 1
  }

  /// The first thing of every change.
  func check(_ lock: Int) throws(Refusal) {
    guard lock == versionLock else { throw .outdated(current: versionLock) }
  }
}

/// The PreStages of one kind of device, and every serial number that the vendor named.
struct PrestageBook: Sendable {
  private(set) var prestages: [Prestage]
  private let known: Set<String>

  /// - Parameters:
  ///   - devices: serial number and PreStage of each device of the inventory.
  ///   - unboxed: serial numbers of devices that were never switched on; they are spread over all PreStages.
  ///   - stock: more of those, all in the first PreStage.
  init(
    names: [String], devices: [(serial: String, prestage: Int?)], unboxed: [String], stock: [String] = [],
    date: Int64
  ) {
    prestages = names.enumerated().map { Prestage(number: $0 + 1, name: $1) }
    known = Set(devices.map(\.serial) + unboxed + stock)
    for device in devices {
      guard let number = device.prestage else { continue }
      seed(device.serial, number - 1, date)
    }
    for (index, serial) in unboxed.enumerated() { seed(serial, index % names.count, date) }
    for serial in stock { seed(serial, 0, date) }
  }

  private mutating func seed(_ serial: String, _ index: Int, _ date: Int64) {
    prestages[index].scope.seed(.init(serialNumber: serial, date: date, user: "vendor"))
  }

  subscript(number: Int) -> Prestage? { prestages.first { $0.number == number } }

  /// Adds serial numbers to a PreStage; the caller has found it.
  mutating func add(
    _ serials: [String], to number: Int, lock: Int, by user: String, now: Int64
  ) throws(PrestageScope.Refusal) {
    guard let index = prestages.firstIndex(where: { $0.number == number }) else { return }
    try prestages[index].scope.check(lock)
    let strangers = serials.filter { !known.contains($0) }
    guard strangers.isEmpty else { throw .unknownSerials(strangers) }
    let taken = serials.filter { serial in prestages.contains { $0.scope.contains(serial) } }
    guard taken.isEmpty else { throw .alreadyScoped(taken) }
    prestages[index].scope.add(serials, by: user, now: now)
  }

  /// Takes serial numbers out of a PreStage; the caller has found it.
  mutating func remove(_ serials: [String], from number: Int, lock: Int) throws(PrestageScope.Refusal) {
    guard let index = prestages.firstIndex(where: { $0.number == number }) else { return }
    try prestages[index].scope.check(lock)
    try prestages[index].scope.remove(serials)
  }
}
