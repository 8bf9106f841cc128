public import ForsettiModuleKit

/// Checks codes that were scanned, tells whoever asked what it found, and keeps the latest.
public final class ForsettiScannerServiceModule: ForsettiLifecycleModule {
  private var history = ScanHistory()
  private var subscription: SubscriptionToken?

  private static let store = "forsetti-scanner-service"
  private static let key = "history"

  /// Makes the module, not started.
  public init() { super.init(manifest: ScannerServiceManifest.manifest) }

  /// Takes up the history, and listens from then on.
  public override func activate(context: ForsettiContext) async throws {
    await load(context)
    subscription = context.subscribeToMessages(ScannerRequest.pattern) { [weak self] event in
      await self?.handle(event, context)
    }
  }

  /// Asks nothing more of anybody: what was accepted is kept already.
  public override func deactivate(context: ForsettiContext) async {
    subscription?.cancel()
    subscription = nil
  }

  /// Handlers run one after the other, so a scan is kept before the next is looked at.
  private func handle(_ event: ForsettiEvent, _ context: ForsettiContext) async {
    guard let source = event.sourceModuleID,
      let request = ScannerRequest(type: event.type, payload: event.payload)
    else { return }
    var answer = await answer(request, from: source, at: event.timestamp, context)
    answer.payload["requestID"] = event.payload["requestID"]
    do {
      try await context.sendMessage(
        to: source, type: ScannerRequest.prefix + answer.name, payload: answer.payload)
    } catch { context.logger.warning("\(source) did not take its answer", error: error) }
  }

  private func answer(
    _ request: ScannerRequest, from source: String, at time: Int64, _ context: ForsettiContext
  ) async -> ScannerAnswer {
    switch request {
    case .camera: return .noCamera
    case .availability: return .availability
    case .history(let count): return .history(history.latest(count, of: source))
    case .scan(let text, let symbology):
      do throws(ScanRefusal) {
        let reading = try ScanReading(text, symbology: symbology)
        history.add(ScanHistory.Entry(reading: reading, source: source, time: time))
        await save(context)
        return .accepted(reading)
      } catch {
        await report(error, from: source, context)
        return .refused(error)
      }
    }
  }

  // MARK: - What it does with its services. It works without any of them, and says so.

  private func load(_ context: ForsettiContext) async {
    guard let storage = storage(context) else { return }
    do {
      guard let text = try await storage.value(forKey: Self.key, in: Self.store) else { return }
      history = try ScanHistory(text: text)
    } catch { context.logger.warning("the history of scans can't be read; it begins anew", error: error) }
  }

  private func save(_ context: ForsettiContext) async {
    guard let storage = storage(context) else { return }
    do { try await storage.set(history.text, forKey: Self.key, in: Self.store) } catch {
      context.logger.warning("a scan is in memory alone", error: error)
    }
  }

  private func storage(_ context: ForsettiContext) -> (any StorageService)? {
    // Asked for beforehand: the storage is optional, so its absence is worth no warning.
    context.grantedCapabilities.contains(.storage) ? context.services.storage : nil
  }

  /// Never what was scanned: it may be anything.
  private func report(_ refusal: ScanRefusal, from source: String, _ context: ForsettiContext) async {
    let report = DiagnosticReport(
      category: "scan", severity: .warning, message: "A scan was refused",
      metadata: ["reason": refusal.code, "asked_by": source])
    do { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("a refused scan could not be reported", error: error)
    }
  }
}
