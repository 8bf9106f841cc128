public import ForsettiCore

/// The headers of a request or an answer, in their order. Names are the same regardless of case (RFC 9110 §5.1).
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// All of them.
  public private(set) var fields: [HTTPField]

  /// Makes headers of a list.
  public init(_ fields: [HTTPField] = []) { self.fields = fields }
  /// Makes headers of a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { HTTPField($0.0, $0.1) }
  }

  /// Every value of a name.
  public func values(of name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// The value of a name. Reading gives `nil` also where there are several, as nobody can say which is meant; writing
  /// takes the place of all.
  public subscript(name: String) -> String? {
    get {
      let values = values(of: name)
      return values.count == 1 ? values[0] : nil
    }
    set {
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue { fields.append(HTTPField(name, newValue)) }
    }
  }

  /// Adds a value, whatever is there already.
  public mutating func add(_ name: String, _ value: String) { fields.append(HTTPField(name, value)) }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// The parameters of a request's query, in their order.
public struct HTTPQuery: Sendable, Hashable {
  /// All of them.
  public var fields: [HTTPField]

  /// Makes a query.
  public init(_ fields: [HTTPField] = []) { self.fields = fields }

  /// Reads the body of a form (`application/x-www-form-urlencoded`); `nil` where it is none, or has too many fields.
  public init?(form body: [UInt8]) {
    guard let query = try? HTTPTarget.query(body) else { return nil }
    self = query
  }

  /// The first value of a name.
  public subscript(name: String) -> String? { fields.first { $0.name.hasSameScalars(as: name) }?.value }
}
