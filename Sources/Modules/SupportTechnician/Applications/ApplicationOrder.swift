internal import ForsettiModuleKit

/// An application that is to come onto a Mac, or to leave it.
///
/// An administrator of Jamf Pro has policies with the custom triggers `install-NAME` and `uninstall-NAME`. What is made here
/// is a wrapper that asks for one of them once on one Mac: a script, and a policy that runs it.
struct ApplicationOrder: Sendable, Equatable {
  enum Verb: String, Sendable, CaseIterable {
    case install, uninstall

    /// For people.
    var title: String {
      switch self {
      case .install: "Install"
      case .uninstall: "Uninstall"
      }
    }
  }

  var verb: Verb
  /// As the triggers have it, which is as the inventory names it.
  var application: String

  /// Bytes of a name at most.
  static let nameLimit = 100

  /// Reads what a form sent; nothing where it names no application.
  init?(_ payload: [String: String]) {
    let name = (payload["application"] ?? "").trimmedScalars
    guard let verb = payload["verb"].flatMap(Verb.init), Self.isName(name) else { return nil }
    self.verb = verb
    application = name
  }

  init(_ verb: Verb, _ application: String) {
    self.verb = verb
    self.application = application
  }

  /// A name becomes the argument of a program: it may not look like an option, nor hide anything.
  static func isName(_ name: String) -> Bool {
    (1...nameLimit).contains(name.utf8.count) && !name.hasPrefix("-")
      && !name.unicodeScalars.contains(where: \.isUnfitForDisplay)
  }

  /// Whether a Mac with these applications is as it was wanted.
  func isMet(by applications: [String]) -> Bool {
    let names = [application, application + ".app"].map { $0.lowercased() }
    let isThere = applications.contains { names.contains($0.lowercased()) }
    return isThere == (verb == .install)
  }
}
