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
}
