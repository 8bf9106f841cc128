import ForsettiModuleKit
import Synchronization

@testable import ForsettiModules

/// Storage in memory, which fails on demand.
final class FakeSearchStorage: StorageService {
  let values = Mutex<[String: String]>([:])
  let isBroken = Mutex(false)

  nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
    async throws(ServiceError)
  {
    if isBroken.withLock({ $0 }) { throw .quotaExceeded("bytes") }
    values.withLock { $0["\(store ?? "")/\(key)"] = value }
  }

  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> String?
  { values.withLock { $0["\(store ?? "")/\(key)"] } }

  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    values.withLock { $0["\(store ?? "")/\(key)"] = nil }
  }

  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
  { [] }
}

/// Files in memory.
@MainActor final class FakeSearchExport {
  private(set) var files: [(name: String, text: String)] = []

  func write(_ documents: [[UInt8]], _ name: String) throws(ServiceError) -> [String] {
    files += documents.map { (name, String(decoding: $0, as: UTF8.self)) }
    return ["/exports/\(name).md"]
  }
}

/// Reports in memory.
final class FakeSearchDiagnostics: DiagnosticsService {
  let reports = Mutex<[DiagnosticReport]>([])

  nonisolated(nonsending) func emit(_ event: DiagnosticReport) async throws(ServiceError) {
    reports.withLock { $0.append(event) }
  }

  nonisolated(nonsending) func events(_ filter: DiagnosticFilter) async throws(ServiceError)
    -> [DiagnosticReport]
  { [] }

  nonisolated(nonsending) func export(_ filter: DiagnosticFilter, format: DiagnosticFormat)
    async throws(ServiceError) -> [UInt8]
  { [] }
}

/// Records are nobody's in these tests.
struct SilentLogger: ForsettiLogger {
  func log(_ level: LogLevel, _ message: String, metadata: [String: String]) {}
}

/// A Jamf Pro of computers 1 to `count`, whose names end in their numbers.
enum FakeInventory {
  /// Answers lists by `page` and `page-size`, and records by their ID or serial number.
  /// - Parameter prestages: serial numbers of each PreStage, of which the first has the ID 1.
  static func api(
    _ count: Int, prestages: [[String]] = [],
    refusal: @escaping @Sendable (APIRequest) -> (Int, String)? = { _ in nil }
  ) -> ScriptedAPI {
    ScriptedAPI { request throws(ServiceError) in
      if let (status, text) = refusal(request) { return answer(status, text) }
      if request.path.hasSuffix("extension-attributes") { return answer(200, attributes) }
      if request.path.contains("-prestages") { return answer(200, prestage(request, prestages)) }
      var numbers = Array(1...max(1, count))
      if let filter = request.parameter("filter"), filter.hasPrefix("id==") {
        numbers = numbers.filter { filter == "id=='\($0)'" }
      }
      if let filter = request.parameter("filter"), filter.contains("=in=") {
        numbers = numbers.filter { filter.contains("'C\($0)'") }
      }
      let size = request.parameter("page-size").flatMap { Int($0) } ?? 100
      let start = min(numbers.count, (request.parameter("page").flatMap { Int($0) } ?? 0) * size)
      let page = numbers[start..<min(numbers.count, start + size)]
      return answer(
        200, #"{"totalCount": \#(numbers.count), "results": [\#(page.map(computer).joined(separator: ","))]}"#
      )
    }
  }

  private static func prestage(_ request: APIRequest, _ prestages: [[String]]) -> String {
    let parts = request.path.split(separator: "/")
    guard parts.last == "scope", let number = Int(parts[parts.count - 2]) else {
      let list = prestages.indices.map { #"{"id": "\#($0 + 1)", "displayName": "PreStage \#($0 + 1)"}"# }
      return #"{"totalCount": \#(list.count), "results": [\#(list.joined(separator: ","))]}"#
    }
    let serials = prestages[number - 1].map { #"{"serialNumber": "\#($0)"}"# }
    return #"{"prestageId": "\#(number)", "assignments": [\#(serials.joined(separator: ","))]}"#
  }

  static func computer(_ number: Int) -> String {
    """
    {"id": "\(number)", "udid": "U\(number)", "general": {"name": "Mac \(number)", "supervised": \(number % 2 == 0),
    "enrollmentMethod": {"id": "12", "objectName": "Standard Mac", "objectType": "PreStage enrollment"}},
    "hardware": {"serialNumber": "C\(number)", "model": "MacBook Pro"}, "operatingSystem": null,
    "security": {"sipStatus": "ENABLED", "firewallEnabled": false},
    "extensionAttributes": [{"definitionId": "5", "name": "Owner", "values": ["Ann | Bob"]}]}
    """
  }

  private static let attributes =
    #"{"totalCount": 1, "results": [{"id": "5", "name": "Owner", "dataType": "STRING", "inputType": "TEXT"}]}"#

  static func answer(_ status: Int, _ text: String) -> APIResponse {
    APIResponse(status: status, headers: [], body: Array(text.utf8))
  }

  static func refusal(_ status: Int, _ field: String = "filter") -> (Int, String) {
    (
      status,
      #"{"httpStatus": \#(status), "errors": [{"code": "INVALID_FIELD", "field": "\#(field)", "description": "no"}]}"#
    )
  }
}
