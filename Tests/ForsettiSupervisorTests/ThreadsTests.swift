import Glibc
import Testing

@testable import ForsettiSupervisor

/// The direct grant `threads`, with a bundle of C that makes as many as it gets.
@Suite("Threads of a module", .timeLimit(.minutes(2))) struct ThreadsTests {
  /// They all live at once, for each waits for the lock.
  private static let threads = """
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *wait_for_lock(void *unused) {
      pthread_mutex_lock(&lock);
      pthread_mutex_unlock(&lock);
      return unused;
    }
    __attribute__((constructor)) static void make_threads(void) {
      pthread_t threads[64];
      int count = 0;
      pthread_mutex_lock(&lock);
      while (count < 64 && pthread_create(&threads[count], 0, wait_for_lock, 0) == 0) count++;
      pthread_mutex_unlock(&lock);
      for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
      char text[64];
      int length = snprintf(text, sizeof text, "%d threads beside the first\\n", count);
      if (write(1, text, (size_t)length) < 0) _exit(1);
    }
    """

  private let scratch: Scratch
  private let arguments: [String]

  init() throws {
    scratch = try Scratch()
    let hash = try CModule.install(in: scratch, beside: Self.threads)
    // Users of this run's own: the kernel counts what others on this machine run under the same ones.
    let firstUser = 1_000_000 + Int(getpid()) * 64
    let policy = try scratch.write(
      "policy.json",
      """
      {"policyVersion": 1, "entitlements": {"provider": "allowAll"},
       "userIDs": {"first": \(firstUser), "count": 64}, "activation": {"order": ["\(CModule.id)"]},
       "rules": [{"modules": "\(CModule.id)", "origin": {"sha256": "\(hash)"}, "grant": ["storage"],
         "sandbox": {"direct": ["threads"], "limits": {"threads": 8}}},
        {"modules": "com.forsetti.example.*",
         "grant": ["storage", "telemetry", "toolbar_items", "view_injection", "routing_overlay"]}]}
      """)
    arguments = ["--policy", policy, "--manifests", Product.exampleManifests, "--state", scratch("state")]
  }

  private func boot() async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(["run", "--once", "--json", "--log-level", "info"] + arguments)
  }

  @Test("with the grant it makes as many as its limit says, and not one more", .enabled(if: geteuid() == 0))
  func bounded() async throws {
    // Twice: what the first one had is given back.
    for _ in 1...2 {
      let end = try await boot()
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.errors.contains("7 threads beside the first"), "\(end.errors)")
    }
    let explained = try await SupervisorProcess.run(["explain", CModule.id] + arguments)
    #expect(explained.output.contains("the module's own user has no other process"))
  }

  @Test("where nothing would hold their number the module is not started", .enabled(if: geteuid() != 0))
  func unbounded() async throws {
    let end = try await boot()
    #expect(end.status == ForsettiSupervisor.ExitStatus.osError.rawValue)
    #expect(end.errors.contains("nothing here would hold their number"), "\(end.errors)")
  }
}
