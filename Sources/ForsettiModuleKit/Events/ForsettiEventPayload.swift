internal import ForsettiIPC

/// What an event says: texts by their keys, to be read as a dictionary is.
///
/// It holds the bytes that came through the pipe, and makes a text when it is asked for one. Where many are wanted, ask
/// for the `dictionary` once.
public struct ForsettiEventPayload: Sendable {
  private let storage: EventStorage

  init(_ storage: EventStorage) { self.storage = storage }

  /// The receiver of a message, which no payload holds itself: keys like this one are the framework's.
  private var receiver: String? { storage.origin.receiver }

  /// The text under a key, compared byte by byte; `nil` where there is none.
  public subscript(key: String) -> String? {
    if let receiver, key == ForsettiEvent.targetModuleIDKey { return receiver }
    return storage.withPayload { EventPayload.text(key, in: $0) }
  }

  /// How many texts there are.
  public var count: Int { storage.withPayload { EventPayload.count($0) } &+ (receiver == nil ? 0 : 1) }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// All texts by their keys. Of two spellings of a key that are canonically equivalent the first stays.
  public var dictionary: [String: String] {
    // Checked when it came.
    var dictionary = storage.withPayload { try? EventPayload.decode($0) } ?? [:]
    if let receiver { dictionary[ForsettiEvent.targetModuleIDKey] = receiver }
    return dictionary
  }
}

extension ForsettiEventPayload: Sequence {
  /// The texts and their keys, in no order.
  public func makeIterator() -> [String: String].Iterator { dictionary.makeIterator() }
}

extension ForsettiEventPayload: Hashable {
  /// Whether two payloads say the same.
  public static func == (left: Self, right: Self) -> Bool { left.dictionary == right.dictionary }

  /// Hashes the texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}
