import ForsettiCore
import FuzzDriver
import Glibc

/// A policy file: faults, each with a place in it, or a policy that answers every question.
@main enum Target {
  static func main() {
    exit(
      fuzz { start, count in
        let bytes = Array(UnsafeBufferPointer.input(start, count))
        do throws(PolicyFaults) {
          let policy = try PolicyDecoder.decode(bytes: bytes, file: "fuzz.json")
          for id in policy.activationOrder + ["com.example.module"] {
            for capability in Capability.allCases {
              _ = policy.decision(moduleID: id, capability: capability)
            }
            _ = policy.sandbox(for: id)
            _ = policy.deadlines(for: id)
            _ = policy.restart(for: id)
            _ = policy.eventRules(for: id).mayPublish("\(id).event")
          }
        } catch {
          precondition(!error.faults.isEmpty, "a refused policy has no fault")
        }
        return 0
      })
  }
}
