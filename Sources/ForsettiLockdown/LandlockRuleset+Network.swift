extension LandlockRuleset {
  /// What the network worker keeps: how hosts are found (resolver(5), nsswitch.conf(5)) and trusted (the authorities of
  /// Debian and Fedora), and TCP connections. Landlock knows ports, not hosts: which of those may be reached is judged
  /// for each request. No port is bound.
  public static let network = LandlockRuleset(
    rules: [
      "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
      "/run/systemd/resolve", "/run/NetworkManager",
    ].map { Rule($0, .read, "how hosts are found") }
      + [
        "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/usr/share/ca-certificates",
        "/usr/local/share/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted",
      ].map { Rule($0, .read, "how hosts are trusted") },
    exceptions: LandlockRights(network: .connectTCP))
}
