/// Requests to the provider of the `api` role that a policy lets a module make. One entry must cover method and path.
public struct APIRules: Sendable, Hashable {
  /// In file order.
  public var allow: [APITarget]

  /// Makes rules.
  public init(allow: [APITarget]) { self.allow = allow }

  /// Whether a request passes; the path is normalised.
  public func allows(method: String, path: String) -> Bool {
    allow.contains { $0.covers(method: method, path: path) }
  }
}

/// Paths, and the methods they may be asked with.
public struct APITarget: Sendable, Hashable {
  /// Normalised; each covers itself and what lies below it.
  public var paths: [String]
  /// `nil` is every method.
  public var methods: [NetworkMethod]?

  /// Makes a target.
  public init(paths: [String], methods: [NetworkMethod]? = nil) {
    self.paths = paths
    self.methods = methods
  }

  func covers(method: String, path: String) -> Bool {
    guard methods.map({ $0.contains { $0.rawValue.utf8.elementsEqual(method.utf8) } }) ?? true else {
      return false
    }
    return paths.contains { Self.lies(path, below: $0) }
  }

  /// `/a` covers `/a`, `/a/` and `/a/b`, never `/ab`; `/a/` covers `/a/` and `/a/b`.
  private static func lies(_ path: String, below prefix: String) -> Bool {
    let (path, prefix) = (path.utf8, prefix.utf8)
    guard path.starts(with: prefix) else { return false }
    return path.count == prefix.count || prefix.last == UInt8(ascii: "/")
      || path.dropFirst(prefix.count).first == UInt8(ascii: "/")
  }
}

extension Policy {
  /// What a module may ask of the provider of `api`: the strongest rule that says anything of it decides; `nil` is
  /// silence, which limits nothing.
  public func apiRules(for moduleID: String, origin: ModuleOrigin = .builtIn) -> APIRules? {
    rules(for: moduleID, origin: origin).lazy.compactMap(\.api).first
  }
}

extension PolicyReader {
  mutating func apiRules(_ node: PolicyNode) -> APIRules {
    APIRules(allow: array(node).compactMap { apiTarget($0) })
  }

  private mutating func apiTarget(_ node: PolicyNode) -> APITarget? {
    guard let object = object(node, .apiTarget) else { return nil }
    var target = APITarget(paths: [])
    if let paths = object["paths"] {
      if paths.value.elements?.isEmpty == true { fault(paths, "at least one is meant") }
      target.paths = list(paths, key: { $0 }) { $0.apiPath($1) }.map(\.element)
    }
    if let methods = object["methods"] {
      if methods.value.elements?.isEmpty == true { fault(methods, "at least one is meant") }
      target.methods = list(methods, key: { $0 }) {
        $0.choice($1, "method", of: NetworkMethod.self)
      }.map(\.element)
    }
    return target
  }

  private mutating func apiPath(_ node: PolicyNode) -> String? {
    guard let text = string(node) else { return nil }
    do throws(APIPath.Fault) {
      let path = try APIPath.normalise(text)
      if path == text { return text }
      fault(node, "written in the one form that requests have, this is \(path.quoted())")
    } catch { fault(node, "no path: \(error.rawValue)") }
    return nil
  }
}
