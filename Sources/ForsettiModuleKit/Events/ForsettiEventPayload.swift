internal import ForsettiIPC

/// What an event says: texts by their keys, to be read as a dictionary is.
///
/// It holds the bytes that came through the pipe, and makes a text when it is asked for one. Where many are wanted, ask
/// for the `dictionary` once.
public struct ForsettiEventPayload: Sendable {
  private enum Storage: Sendable {
    case encoded(EncodedTextMap)
    case entries([String: String])
  }

  private let storage: Storage

  /// Makes a payload of these texts.
  public init(_ dictionary: [String: String]) { storage = .entries(dictionary) }

  init(_ encoded: EncodedTextMap) { storage = .encoded(encoded) }

  /// The text under a key; `nil` where there is none.
  public subscript(key: String) -> String? {
    switch storage {
    case .encoded(let map): map[key]
    case .entries(let entries): entries[key]
    }
  }

  /// How many texts there are.
  public var count: Int {
    switch storage {
    case .encoded(let map): map.count
    case .entries(let entries): entries.count
    }
  }

  /// Bytes that it takes, about.
  var byteCount: Int {
    switch storage {
    case .encoded(let map): map.byteCount
    case .entries(let entries): entries.reduce(0) { $0 &+ $1.key.utf8.count &+ $1.value.utf8.count }
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// All texts by their keys.
  public var dictionary: [String: String] {
    switch storage {
    case .encoded(let map): map.dictionary
    case .entries(let entries): entries
    }
  }
}

extension ForsettiEventPayload: ExpressibleByDictionaryLiteral {
  /// Makes a payload; of two texts under one key the last stays.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { _, last in last })
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
