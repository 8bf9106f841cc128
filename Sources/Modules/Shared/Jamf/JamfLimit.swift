internal import ForsettiModuleKit

/// Where there is more than is looked through at once. Nobody has asked for it wrongly, so each says the way round it.
enum JamfLimit: Sendable, Hashable {
  /// A list, by its path, with more than `JamfPaging.recordLimit` records.
  case records(String)
  /// More than `PrestageReference.limit` PreStages.
  case prestages
  /// More than `PrestageScope.totalLimit` devices in all PreStages.
  case devices
  /// A PreStage, by its name, whose scope is longer than an answer may be.
  case scope(String)
  /// A PreStage, by its name, that a move would bring to more than `PrestageScope.limit` devices.
  case destination(String)

  /// One sentence: what there is too much of, and where.
  var what: String {
    switch self {
    case .records(let path):
      "Jamf Pro's list at \(path) has more than \(JamfPaging.recordLimit) records, and so many are read at most."
    case .prestages:
      "Jamf Pro has more than \(PrestageReference.limit) PreStages, and so many are looked through at most."
    case .devices:
      "All PreStages together have more than \(PrestageScope.totalLimit) devices, and so many are looked through at most."
    case .scope(let name): "The scope of PreStage \(name) is longer than an answer of Jamf Pro's may be."
    case .destination(let name):
      "PreStage \(name) would have more than \(PrestageScope.limit) devices then, which no answer of Jamf Pro's holds."
    }
  }

  /// The way round it.
  var wayOut: String {
    switch self {
    case .records: "Ask for a part of them: add a condition that Jamf Pro itself can filter by."
    case .prestages: "Delete those that nobody uses any more; until then, work with them in Jamf Pro."
    case .devices:
      "Look into one PreStage alone: of mobile devices in PreStage Director, where each can be opened and filtered, of "
        + "computers in Jamf Pro."
    case .scope:
      "See responseBytes in Jamf Service's networking rule: at its largest, \(BodyPart.largestBody), \(PrestageScope.limit) "
        + "devices fit. Divide more over several PreStages, in Jamf Pro."
    case .destination: "Move fewer devices, or choose another PreStage."
    }
  }
}
