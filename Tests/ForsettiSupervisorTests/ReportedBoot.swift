import Foundation

/// What `run --once --json` prints, as a program reads it.
struct ReportedBoot: Decodable {
  struct Module: Decodable {
    var moduleID: String
    var state: String
    var pid: Int32?
    var threads: Int?
    var kernelSyscalls: [String]
    var servedSyscalls: [String]
    var openFileDescriptors: Int?
    var pssKiB: Int?
    var activationMilliseconds: Double?
    var failure: String?
  }

  struct Surface: Decodable {
    struct Item: Decodable {
      struct Action: Decodable {
        var type: String
        var routeID: String?
        var eventType: String?
      }
      var moduleID: String
      var itemID: String
      var title: String
      var action: Action
    }
    struct Injection: Decodable {
      var moduleID: String
      var viewID: String
      var priority: Int
    }
    struct Overlays: Decodable {
      struct Pointer: Decodable { var pointerID: String }
      struct Route: Decodable {
        var routeID: String
        var path: String
      }
      var schemaID: String
      var pointers: [Pointer]
      var routes: [Route]
    }
    struct Mask: Decodable { var themeID: String }
    var toolbar: [Item]
    var injections: [String: [Injection]]
    var overlays: Overlays?
    var themeMask: Mask?
  }

  var state: String
  var bootMilliseconds: Double
  var surface: Surface?
  var selectedUIModuleID: String?
  var modules: [Module]
  var error: String?

  /// Standard output must be this one object and nothing else.
  init(_ output: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(output.utf8))
  }

  /// The seeds' order (SPEC §7).
  static let order = [
    "service.jamf", "service.diagnostics", "service.scanner", "feature.computer-search",
    "feature.mobile-device-search", "feature.support-technician", "feature.prestage-director",
    "feature.reports", "feature.deployment-tracker", "feature.permissions-matrix", "retail.ui",
  ].map { "com.forsetti.jamfpro." + $0 }
}

/// The kernel's own word on processes.
enum Proc {
  /// A field of /proc/PID/status; `nil` when the process is gone.
  static func status(_ pid: Int32, _ field: String) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
    return text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
      .map { $0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  /// Children of a process, zombies included.
  static func children(of pid: Int32) -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { status($0, "PPid") == String(pid) }.sorted()
  }

  /// Whether the process exists and is no zombie.
  static func isRunning(_ pid: Int32) -> Bool {
    status(pid, "State").map { !$0.hasPrefix("Z") } ?? false
  }
}
