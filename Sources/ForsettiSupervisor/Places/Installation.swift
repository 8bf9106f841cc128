/// Where this program's companions and its data are, found from where it lies itself.
///
/// In a checkout it lies in `.build/…`, below a folder that holds `policy` and `Resources`. Installed it lies in
/// `PREFIX/bin`, with `PREFIX/share/forsetti` beside that.
struct Installation: Equatable {
  var policy: String
  var manifests: String
  /// The module host: beside this program, else in PREFIX/libexec/forsetti.
  var moduleHost: String
  /// The host of crash-test's hostile modules: beside this program, else in PREFIX/libexec/forsetti-crash-test, a folder that
  /// a running supervisor has no right to. Optional.
  var hostileHost: String
  /// The executable of its bundles, beside it.
  var hostileProbe: String { Self.parent(of: hostileHost) + "/forsetti-hostile-probe" }
  /// The checkout's root, where it is one.
  var checkout: String?

  /// The program that makes every system call under a plan's filter: it lies where the module host does.
  var syscallProbe: String { Self.parent(of: moduleHost) + "/forsetti-syscall-probe" }

  /// The program that speaks to hosts, in the same place.
  var networkWorker: String { Self.parent(of: moduleHost) + "/forsetti-network-worker" }
  /// The web console, in the same place.
  var console: String { Self.parent(of: moduleHost) + "/forsetti-console" }

  /// The policies that come with the product, whether or not they are used here.
  var shippedPolicies: [String] {
    let folder = checkout.map { $0 + "/policy" } ?? Self.parent(of: manifests) + "/policy"
    return ["development", "examples", "strict", "third-party"].map { "\(folder)/\($0).json" }
  }

  /// Finds them. `executable` is the absolute path of the running program, `exists` looks at the file system.
  static func locate(executable: String, exists: (String) -> Bool) -> Installation {
    let folder = parent(of: executable)
    let beside = folder + "/forsetti-module-host"
    let hostile = folder + "/forsetti-hostile-host"
    if let root = checkout(above: folder, exists: exists) {
      return Installation(
        policy: root + "/policy/strict.json", manifests: root + "/Resources/ForsettiManifests",
        moduleHost: beside, hostileHost: hostile, checkout: root)
    }
    let prefix = parent(of: folder)
    let configured = "/etc/forsetti/policy.json"
    return Installation(
      policy: exists(configured) ? configured : prefix + "/share/forsetti/policy/strict.json",
      manifests: prefix + "/share/forsetti/manifests",
      moduleHost: exists(beside) ? beside : prefix + "/libexec/forsetti/forsetti-module-host",
      hostileHost: exists(hostile) ? hostile : prefix + "/libexec/forsetti-crash-test/forsetti-hostile-host")
  }

  private static func checkout(above folder: String, exists: (String) -> Bool) -> String? {
    var candidate = folder
    while candidate != "" {
      if exists(candidate + "/policy/strict.json"), exists(candidate + "/Resources/ForsettiManifests") {
        return candidate
      }
      candidate = parent(of: candidate)
    }
    return nil
  }

  /// The path without its last component; "" for one directly below the root.
  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}

/// Where state and what lives as long as the supervisor are kept, unless options say otherwise.
struct StatePlaces: Equatable {
  var state: String
  var runtime: String

  /// Root: /var/lib and /run. Others: the XDG folders, which must be absolute to count.
  static func standard(userID: UInt32, environment: [String: String]) -> StatePlaces? {
    guard userID != 0 else { return StatePlaces(state: "/var/lib/forsetti", runtime: "/run/forsetti") }
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let base = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ $0 + "/.local/state" }) else {
      return nil
    }
    let state = base + "/forsetti"
    // Where no login session gave us a runtime folder, the state's own is as private.
    let runtime = absolute("XDG_RUNTIME_DIR").map { $0 + "/forsetti" } ?? state + "/run"
    return StatePlaces(state: state, runtime: runtime)
  }
}
