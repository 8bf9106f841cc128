extension ModuleOrigin {
  /// The origin in one word, as records and messages show it: the key where there is one, for a signed bundle
  /// may change its executable and stay the same origin.
  public var text: String {
    switch self {
    case .builtIn: "built-in"
    case .bundle(_, let key?): "key:\(key)"
    case .bundle(let sha256, nil): "sha256:\(sha256)"
    }
  }

  /// SHA-256 of a bundle's executable, lower-case hex; `nil` for a built-in, of which none is recorded.
  public var executableSHA256: String? {
    if case .bundle(let sha256, _) = self { sha256 } else { nil }
  }

  /// Whether this is code of the host's own executable.
  public var isBuiltIn: Bool { self == .builtIn }
}
