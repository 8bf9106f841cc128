public import ForsettiCore

/// Why a person's word on a module was not taken. Nothing has changed.
public enum AcceptFailure: Error, Sendable, Hashable {
  /// Files could not be read, or nothing runs.
  case reading(ReloadFailure)
  /// There is no such module.
  case module(ModuleManagerError)
  /// What was looked at is not what is there.
  case differs(moduleID: String, sha256: String)
  /// Its code comes from elsewhere now, and nobody said that it takes over the data.
  case dataUndecided(moduleID: String)
  /// State could not be read or saved.
  case state(StoreError)
}

extension ForsettiRuntime {
  /// Takes a person's word that a module may be activated as its files are now, which are read anew; a reload or an
  /// activation uses it up. One that agrees with its registration needs none.
  /// - Parameters:
  ///   - sha256: what the person looked at, as `accept` shows it.
  ///   - keepsData: whether a module that comes from elsewhere takes over the data.
  ///   - policy: as the file says it now, for it decides which bundles are in sight.
  /// - Returns: what was kept; `nil` where the registration agrees already.
  public func accept(
    moduleID: String, sha256: String, keepsData: Bool, by policy: Policy
  ) async throws(AcceptFailure) -> Acceptance? {
    let module = try await discovered(moduleID, by: policy)
    let id = module.manifest.moduleID
    guard sha256 == module.acceptedSHA256 else {
      throw .differs(moduleID: id, sha256: module.acceptedSHA256)
    }
    let record: ModuleRegistrationRecord?
    do throws(StoreError) { record = try await parts.store.record(moduleID: id) } catch {
      throw .state(error)
    }
    let drift = record.flatMap { module.drift(from: $0) }
    guard record == nil || drift != nil else { return nil }
    let isElsewhere = drift?.isOriginChanged ?? false
    guard !isElsewhere || keepsData else { throw .dataUndecided(moduleID: id) }
    let acceptance = Acceptance(
      moduleID: id, manifestSHA256: module.sha256, executableSHA256: module.origin.executableSHA256,
      origin: module.origin.text, data: isElsewhere ? .keep : nil, acceptedAt: parts.wallClock())
    do throws(StoreError) { try await parts.store.saveAcceptance(acceptance) } catch { throw .state(error) }
    parts.logger.info("is accepted as \(sha256)", moduleID: id)
    return acceptance
  }

  private func discovered(
    _ moduleID: String, by policy: Policy
  ) async throws(AcceptFailure) -> LoadedManifest {
    let next: Deployment
    do throws(ReloadFailure) { (_, next) = try await readAnew(by: policy) } catch { throw .reading(error) }
    if let module = next.catalog[moduleID] { return module }
    guard let refusal = next.catalog.refusal(of: moduleID) else {
      throw .module(.moduleNotDiscovered(moduleID: moduleID))
    }
    throw .module(.bundleRefused(moduleID: moduleID, reason: refusal.reason))
  }
}
