internal import ForsettiModuleKit

/// All that the view shows. Every operator looks at the same.
struct PrestageState: Sendable {
  /// Of the mobile devices, by name; nothing while nobody has asked Jamf.
  var prestages: [PrestageReference]?
  var opened: OpenedPrestage?
  var found: FoundSerials?
  var plan: NumberedPlan?
  var work: Work?
  var interrupted: Interrupted?
  var outcome: Ended?
  var notice: Notice?
  /// Markdown of what was shared last.
  var shared: String?

  /// Something that takes its time. There is one at a time.
  struct Work: Sendable, Equatable {
    var title: String
    /// From 0 to 1, where it is known.
    var fraction: Double?
    var isCalledOff = false
  }

  /// What there is to say.
  enum Notice: Sendable, Equatable {
    case done(String)
    case failed(what: String, advice: String)
  }

  /// A plan that waits for its confirmation.
  struct NumberedPlan: Sendable, Equatable {
    let number: Int
    let plan: ScopePlan
    let destination: PrestageReference?

    var confirmation: TypedConfirmation { TypedConfirmation(of: "plan-\(number)") }
  }

  /// A job that is neither done nor undone.
  struct Interrupted: Sendable, Equatable {
    let record: ScopeRecord
    /// Why it can't go on now.
    var why: String

    var confirmation: TypedConfirmation { TypedConfirmation(of: "leave-\(record.startedAt)") }
  }

  /// A job that ended.
  struct Ended: Sendable, Equatable {
    let outcome: ScopeOutcome
    /// It had been interrupted, and was taken up from the journal.
    let wasResumed: Bool
  }

  /// Where serial numbers are.
  struct FoundSerials: Sendable, Equatable {
    let places: [Place]

    struct Place: Sendable, Equatable {
      let serial: String
      let prestage: PrestageReference?
    }
  }
}

/// A PreStage that is looked at, and the part of it that is shown.
struct OpenedPrestage: Sendable, Equatable {
  let prestage: PrestageReference
  private(set) var scope: PrestageScope
  private(set) var filter = ""
  private(set) var page = 0
  /// What the inventory knows, as far as it was asked.
  var devices: [String: AssignedDevice] = [:]
  /// Why names and models are missing.
  var devicesNote: String?

  /// Devices of one page.
  static let pageSize = 50

  init(prestage: PrestageReference, scope: PrestageScope) {
    self.prestage = prestage
    self.scope = scope
  }

  /// Those that the filter lets through: by serial number, and by name where it is known.
  var matches: [String] {
    guard !filter.isEmpty else { return scope.serials }
    return scope.serials.filter {
      $0.contains(filter) || devices[$0]?.name?.uppercased().contains(filter) ?? false
    }
  }

  var shown: [AssignedDevice] {
    matches.dropFirst(page * Self.pageSize).prefix(Self.pageSize).map {
      devices[$0] ?? AssignedDevice(serial: $0)
    }
  }

  var pages: Int { max(1, (matches.count + Self.pageSize - 1) / Self.pageSize) }

  /// Characters of a filter that count.
  private static let filterLimit = 100

  mutating func setFilter(_ text: String) {
    filter = String(text.trimmedScalars.unicodeScalars.prefix(Self.filterLimit)).uppercased()
    page = 0
  }

  /// The scope as it is now; the page stays, as far as it is still there.
  mutating func take(_ scope: PrestageScope) {
    self.scope = scope
    turn(to: page)
  }

  /// Shows another page; one that isn't there is the nearest.
  mutating func turn(to page: Int) { self.page = min(max(0, page), pages - 1) }
}
