import ForsettiSupervisor

@main enum Program {
  static func main() { Supervisor.main() }
}
