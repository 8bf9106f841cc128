/// Which PreStage has which device in its scope.
struct PrestageMap: Sendable {
  private var prestages: [PrestageReference] = []
  /// Places in `prestages`, by serial number.
  private var places: [String: Int] = [:]
  /// Why some scopes could not be read, one for each.
  private(set) var unread: [JamfFailure] = []
  /// Whether there were more serial numbers than are kept.
  private(set) var isCut = false
  /// Serial numbers that are kept at most.
  let limit: Int

  /// - Parameter limit: serial numbers that are kept at most.
  init(limit: Int = 100_000) { self.limit = limit }

  /// Takes what is in a PreStage. A device is in one only; where the lists say otherwise, the first counts.
  mutating func add(_ prestage: PrestageReference, _ scope: PrestageScope) {
    for serial in scope.serials where places[serial] == nil {
      guard places.count < limit else {
        isCut = true
        break
      }
      places[serial] = prestages.count
    }
    prestages.append(prestage)
  }

  /// Notes why nobody knows what is in a PreStage.
  mutating func miss(_ failure: JamfFailure) { unread.append(failure) }

  /// The PreStage that a device is in.
  /// - Parameter serial: as the inventory has it.
  subscript(serial: String?) -> PrestageReference? {
    SerialNumbers.normalised(serial).flatMap { places[$0] }.map { prestages[$0] }
  }

  /// Every serial number, sorted.
  var serials: [String] { places.keys.sorted() }

  /// What to tell of a device that is in the inventory: what its record says comes first, and the scopes fill what it lacks.
  func text(serial: String?, recorded: String?) -> String? {
    guard let prestage = self[serial] else { return recorded }
    guard let recorded else { return PrestageText.make(.enrolled, prestage) }
    return PrestageStatus(rawValue: recorded).map { PrestageText.make($0, prestage) } ?? recorded
  }

  /// What is missing from it and why, for people: parts of one sentence.
  var notes: [String] {
    let cut =
      "the PreStages have more than \(limit) devices, and others are not told here: look for those in Jamf Pro"
    return (isCut ? [cut] : []) + (unread.first.map { [note(unread.count, $0)] } ?? [])
  }

  private func note(_ count: Int, _ first: JamfFailure) -> String {
    "what is in \(count) PreStages could not be read (\(first.what) \(first.advice))"
  }
}
