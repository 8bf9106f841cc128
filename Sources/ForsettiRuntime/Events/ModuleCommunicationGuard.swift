import ForsettiCore

/// The first gate of a message from module to module (seed "Module-to-Module Messaging"; SPEC §5). What the
/// policy's pair rules say comes after it.
public enum ModuleCommunicationGuard {
  /// Why a message is not delivered; the first that applies.
  public enum Denial: String, Error, Sendable, Hashable, CaseIterable {
    case blankSource = "the source module ID is blank"
    case blankTarget = "the target module ID is blank"
    case selfRelay = "a module does not send messages to itself"
    case blankType = "the event type is blank"
    case reservedType = "event types under forsetti.internal. are the runtime's own"
  }

  /// Judges a message by its head alone; `nil` lets it pass. Texts are trimmed and compare without ASCII case.
  public static func denial(source: String, target: String, eventType: String) -> Denial? {
    let source = folded(source)
    let target = folded(target)
    let type = folded(eventType)
    if source.isEmpty { return .blankSource }
    if target.isEmpty { return .blankTarget }
    if source == target { return .selfRelay }
    if type.isEmpty { return .blankType }
    if type.starts(with: "forsetti.internal.".utf8) { return .reservedType }
    return nil
  }

  /// Bytes, as Swift's own comparison of texts would hold canonically equivalent ones equal.
  private static func folded(_ text: String) -> [UInt8] {
    text.trimmedScalars.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
