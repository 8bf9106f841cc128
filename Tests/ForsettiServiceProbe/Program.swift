import ForsettiCore
import ForsettiServices
import Glibc

/// What the services' tests need another process for: to be killed while it writes.
/// `forsetti-service-probe storage|exports FOLDER`: says the number of each change that was acknowledged.
@main struct Program {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard let command = words.first, let folder = words.last, words.count == 2 else { exit(EX_USAGE) }
    do {
      let services = try await HostServices.open(HostServicesConfiguration(stateFolder: folder))
      let caller = ServiceCaller(manifest: manifest, origin: .builtIn, grants: [.storage])
      switch command {
      case "storage": try await write(services.storage(caller))
      case "exports": try await export(services.fileExport(caller))
      default: exit(EX_USAGE)
      }
    } catch {
      say("\(error)")
      exit(EX_SOFTWARE)
    }
  }

  private static let manifest = ModuleManifest(
    moduleID: "a.writer", displayName: "Writer",
    moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
    minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [.storage],
    entryPoint: "A")

  /// Sets one key after the other, four at once, and says each that is safe.
  private static func write(_ storage: any StorageService) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          var number = 0
          while true {
            try await storage.set("\(lane)", forKey: "\(lane)-\(number)", in: nil)
            say("\(lane)-\(number)")
            number += 1
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Exports one file after the other, all by one name, and says the path of each that is safe.
  private static func export(_ exports: any FileExportService) async throws {
    let data = [UInt8](repeating: 7, count: 100_000)
    while true { say(try await exports.export(data, suggestedFileName: "report.txt")) }
  }

  /// One line, whole, without a buffer that a kill would lose.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.write(1, bytes, bytes.count)
  }
}
