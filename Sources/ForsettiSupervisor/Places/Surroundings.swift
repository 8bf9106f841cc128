import ForsettiCore
import ForsettiRuntime
import Glibc

/// What a command finds around it: who runs it, where it lies, where it writes. Made once; tests make their own.
struct Surroundings: Sendable {
  var userID: UInt32
  var environment: [String: String]
  var installation: Installation
  var output: OutputStream
  var errors: OutputStream

  /// Those of this process.
  static func current() throws(CommandFailure) -> Surroundings {
    let environment = readEnvironment()
    guard let executable = ownPath() else {
      throw CommandFailure(
        status: .osError, message: "cannot read /proc/self/exe, where this program lies; is /proc mounted?")
    }
    return Surroundings(
      userID: geteuid(), environment: environment,
      installation: Installation.locate(executable: executable) { access($0, F_OK) == 0 },
      output: OutputStream(descriptor: 1, environment: environment),
      errors: OutputStream(descriptor: 2, environment: environment))
  }

  /// Refuses a checkout that others may write with the one command that mends all of it. Without this the
  /// trusted reads would name one file or folder at a time.
  func requireTrustedCheckout(_ inputs: Inputs) throws(CommandFailure) {
    guard let root = installation.checkout,
      inputs.policy == nil || (inputs.manifests ?? inputs.discover) == nil
    else { return }
    for path in [root, installation.policy, installation.manifests] {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & (S_IWGRP | S_IWOTH) != 0 else { continue }
      throw CommandFailure(
        status: .noPermission,
        message: "\(path) may be changed by others (a clone made under umask 002?); mend: chmod -R go-w "
          + root.shellWord)
    }
  }

  /// The policy file: the option's, else the installation's.
  func policyPath(_ inputs: Inputs) -> String { inputs.policy ?? installation.policy }

  /// State and runtime folders: the options', else the user's own. A state folder of one's own has its runtime
  /// folder inside, so that two supervisors on two states never meet.
  func statePlaces(state: String?, runtime: String? = nil) throws(CommandFailure) -> StatePlaces {
    if let state { return StatePlaces(state: state, runtime: runtime ?? state + "/run") }
    guard let standard = StatePlaces.standard(userID: userID, environment: environment) else {
      throw CommandFailure(
        status: .usage, message: "HOME is not set; name the state folder with --state DIR")
    }
    return StatePlaces(state: standard.state, runtime: runtime ?? standard.runtime)
  }

  private static func readEnvironment() -> [String: String] {
    var found: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        found[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
      }
      entry += 1
    }
    return found
  }

  private static func ownPath() -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", base, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}
