import ForsettiCore
import ForsettiRuntime

/// Reads the policy anew and has the runtime go over to it, for the signal and for the control socket. What comes of it
/// is in the log either way.
@ReactorActor final class Reloader {
  private let policyPath: String
  private let bootstrap: ForsettiRuntimeBootstrap
  private let logger: any ForsettiLogger
  /// Whom to tell that a reload begins, and that it is over.
  var service: ServiceStatus?
  private var isUnderWay = false
  private var isAskedAgain = false
  /// The reload that was asked for last.
  private var last: Task<Result<ReloadReport, CommandFailure>, Never>?

  /// - Parameter policyPath: absolute.
  init(policyPath: String, bootstrap: ForsettiRuntimeBootstrap, logger: any ForsettiLogger) {
    self.policyPath = policyPath
    self.bootstrap = bootstrap
    self.logger = logger
  }

  /// Reloads because of a signal. Of those that come while one is under way, one more is made: it reads what they meant.
  func request() {
    isAskedAgain = true
    guard !isUnderWay else { return }
    isUnderWay = true
    Task {
      while isAskedAgain {
        isAskedAgain = false
        // Told of in the log; nobody waits for it.
        _ = try? await reload()
      }
      isUnderWay = false
    }
  }

  /// What a reload would do; nothing is changed.
  func plan() async throws(CommandFailure) -> ReloadReport {
    let policy = try await policy()
    do throws(ReloadFailure) {
      return ReloadReport(try await bootstrap.runtime.planReload(by: policy))
    } catch { throw CommandFailure(error) }
  }

  /// Reloads, after whoever asked before: each reads what is there when its turn comes, so that what was read last is
  /// what holds.
  func reload() async throws(CommandFailure) -> ReloadReport {
    let before = last
    let task = Task { () -> Result<ReloadReport, CommandFailure> in
      _ = await before?.value
      do throws(CommandFailure) { return .success(try await self.reloadNow()) } catch {
        return .failure(error)
      }
    }
    last = task
    return try await task.value.get()
  }

  private func reloadNow() async throws(CommandFailure) -> ReloadReport {
    service?.reloading()
    // However it went: as it was is ready too.
    defer { service?.reloaded() }
    do throws(CommandFailure) {
      let policy = try await policy()
      let outcome: ReloadOutcome
      do throws(ReloadFailure) { outcome = try await bootstrap.runtime.reload(by: policy) } catch {
        throw CommandFailure(error)
      }
      let report = ReloadReport(outcome)
      logger.info("reloaded: \(report.summary)", moduleID: nil)
      return report
    } catch {
      logger.error(([error.message] + error.details).joined(separator: "; "), moduleID: nil)
      throw error
    }
  }

  private func policy() async throws(CommandFailure) -> Policy {
    guard case .ready = bootstrap.state else { throw CommandFailure(ReloadFailure.notReady) }
    do throws(CommandFailure) { return try await PolicyInput.readAnew(policyPath) } catch {
      throw error.ofReload
    }
  }
}

extension CommandFailure {
  /// A reload that did not happen.
  init(_ failure: ReloadFailure) {
    switch failure {
    case .notReady:
      self.init(
        status: .temporaryFailure,
        message: "nothing is reloaded: the supervisor is not ready; ask again when it is")
    case .manifests(let error): self = CommandFailure(error).ofReload
    case .refused(let errors):
      self.init(
        status: errors.first.map { CommandFailure($0).status } ?? .dataError,
        message: "nothing is reloaded: \(counted(errors.count, "module")) would not come up",
        details: errors.map(\.message))
    case .failed(let error): self = CommandFailure(error).ofReload
    }
  }

  /// The same, said of a reload.
  fileprivate var ofReload: CommandFailure {
    CommandFailure(status: status, message: "nothing is reloaded: \(message)", details: details)
  }
}
