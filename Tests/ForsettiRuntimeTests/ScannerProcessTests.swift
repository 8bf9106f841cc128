import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Foundation
import Synchronization
import Testing

@testable import ForsettiRuntime

/// The scanner's whole story, in its real locked process, with the broker between it and those who ask.
@ReactorActor @Suite("The scanner in its process", .timeLimit(.minutes(2)))
struct ScannerProcessTests {
  private static let id = "com.forsetti.jamfpro.service.scanner"

  /// What the scanner's services were given.
  private final class Kept: Sendable {
    let values = Mutex<[String: String]>([:])
    let reports = Mutex<[DiagnosticReport]>([])
  }

  private let kept = Kept()

  private func world() -> BrokerWorld {
    var services = ForsettiServiceContainer()
    let kept = kept
    services.answer(StorageMethods.set) { (request, _) throws(ServiceError) in
      kept.values.withLock { $0["\(request.store ?? "")/\(request.key)"] = request.value }
      return Nothing()
    }
    services.answer(StorageMethods.value) { (request, _) throws(ServiceError) in
      kept.values.withLock { $0["\(request.store ?? "")/\(request.key)"] }
    }
    services.answer(DiagnosticsMethods.emit) { (report, _) throws(ServiceError) in
      kept.reports.withLock { $0.append(report) }
      return Nothing()
    }
    return BrokerWorld(services: services)
  }

  private static func manifest() throws -> ModuleManifest {
    let file = Shipped.root + "/Resources/ForsettiManifests/ForsettiScannerServiceModule.json"
    return try ManifestDecoder.decode(bytes: Array(try Data(contentsOf: URL(filePath: file))), file: file)
      .manifest
  }

  /// The shipped module, as the shipped manifest has it.
  private func scanner(_ world: BrokerWorld, grants: [Capability] = [.storage, .diagnostics]) async throws
    -> ModuleProcess
  {
    let manifest = try Self.manifest()
    let session = world.broker.makeSession(manifest: manifest, origin: .builtIn, grants: grants)
    let spec = try spec(host: try builtProgram("forsetti-module-host")) {
      $0.moduleID = Self.id
      $0.entryPoint = manifest.entryPoint
    }
    let process = ModuleProcess(spec, session: session)
    _ = try await process.launch()
    try await process.start(grants: grants)
    return process
  }

  /// Asks the scanner, and gives what it says: its `number`th answer to this module.
  private func ask(
    _ name: String, _ payload: [String: String] = [:], as module: PipedModule, _ number: Int
  ) async throws -> [String: String] {
    try module.call(
      RuntimeMethods.sendMessage,
      MessageRequest(target: Self.id, type: "\(Self.id).\(name)", payload: payload), id: UInt64(number))
    _ = try await module.reply(to: RuntimeMethods.sendMessage, UInt64(number))
    let frame = await module.frame(.deliver, number)
    let head = try EventHead(frame.head.span, of: .deliver)
    #expect(head.delivery?.source == Self.id)
    #expect(head.delivery?.kind == .message)
    #expect(head.type == "\(Self.id).\(name == "scan" ? "" : name + ".")result")
    return try EventPayload.decode(frame.payload.span)
  }

  @Test("tells whoever asked what it found, keeps it past a kill, and says nothing of it to others")
  func story() async throws {
    let world = world()
    let process = try await scanner(world)
    let desk = try world.module("com.example.desk")
    let other = try world.module("com.example.other")
    let availability = try await ask("availability", as: desk, 1)
    #expect(availability["camera"] == "unsupported")
    #expect(availability["text"] == "ready")

    let found = try await ask(
      "scan", ["text": "4006381333931\r", "symbology": "ean13", "requestID": "a"], as: desk, 2)
    #expect(
      found == ["status": "accepted", "value": "4006381333931", "symbology": "ean13", "requestID": "a"])
    let wrong = try await ask("scan", ["text": "4006381333932", "symbology": "ean13"], as: desk, 3)
    #expect(wrong["status"] == "refused")
    #expect(wrong["reason"] == "check_digit")
    let camera = try await ask("scan", as: desk, 4)
    #expect(camera["status"] == "unsupported")
    #expect(try await ask("scan", ["text": "\tC02XL0ABJGH5\n"], as: other, 1)["value"] == "C02XL0ABJGH5")

    let reports = kept.reports.withLock { $0 }
    #expect(reports.map(\.metadata) == [["reason": "check_digit", "asked_by": "com.example.desk"]])

    process.kill()
    _ = await process.exit()
    let again = try await scanner(world)
    let history = try await ask("history", ["requestID": "b"], as: desk, 5)
    #expect(history["count"] == "1")
    #expect(history["requestID"] == "b")
    #expect(history["scans"]?.contains(#""value":"4006381333931""#) == true)
    #expect(history["scans"]?.contains("C02XL0ABJGH5") == false)
    #expect(await again.stop().reason == .stopped)
    let made = world.broker.meters[Self.id].counts.made
    let unused = try Self.manifest().capabilitiesRequested.filter { capability in
      made[ServiceName(rawValue: capability.rawValue), .ok] == 0
    }
    #expect(unused.isEmpty, "its manifest asks for what its story never used")
  }

  @Test("works in memory alone where it was granted nothing, and begins anew where its history is none")
  func bare() async throws {
    let world = world()
    kept.values.withLock { $0["forsetti-scanner-service/history"] = "[7]" }
    let broken = try await scanner(world)
    let desk = try world.module("com.example.desk")
    #expect(try await ask("history", as: desk, 1)["count"] == "0")
    #expect(await broken.stop().reason == .stopped)
    let bare = try await scanner(world, grants: [])
    #expect(try await ask("scan", ["text": "x"], as: desk, 2)["status"] == "accepted")
    #expect(try await ask("scan", ["text": ""], as: desk, 3)["reason"] == "empty")
    #expect(try await ask("history", as: desk, 4)["count"] == "1")
    #expect(kept.values.withLock { $0["forsetti-scanner-service/history"] } == "[7]")
    #expect(await bare.stop().reason == .stopped)
  }
}
