"""Holds the simulated Jamf Pro server to clients that others wrote: jamf-pro-sdk and jps-api-wrapper, both unpatched.

usage: jamf_clients.py PROGRAM
Starts the program, logs in, pages, filters and reads computers and mobile devices, and gives an order.
"""

import subprocess
import sys
from urllib.parse import urlsplit

from jamf_pro_sdk import JamfProClient
from jamf_pro_sdk.clients.auth import ApiClientCredentialsProvider, UserCredentialsProvider
from jamf_pro_sdk.clients.pro_api.pagination import FilterField, SortField, filter_group
from jamf_pro_sdk.models.client import SessionConfig
from jamf_pro_sdk.models.pro.mdm import EnableRemoteDesktopCommand
from jps_api_wrapper.pro import Pro

COMPUTERS, MOBILE_DEVICES = 530, 260


def sdk(url, credentials):
    parts = urlsplit(url)
    return JamfProClient(parts.hostname, credentials, parts.port, SessionConfig(scheme="http", return_exceptions=False))


def check_sdk_computers(api):
    computers = api.get_computer_inventory_v3(sections=["ALL"], page_size=100)
    assert len(computers) == COMPUTERS, len(computers)
    assert len({computer.id for computer in computers}) == COMPUTERS
    assert all(computer.hardware.serialNumber and computer.storage.disks for computer in computers)
    assert all(not computer.model_extra for computer in computers), computers[0].model_extra
    names = [computer.general.name.lower() for computer in computers]
    assert names == sorted(names)

    some = computers[123]
    found = api.get_computer_inventory_v3(filter_expression=FilterField("hardware.serialNumber").eq(some.hardware.serialNumber))
    assert [computer.id for computer in found] == [some.id]
    assert api.get_computer_inventory_detail_v3(some.id).udid == some.udid

    managed = FilterField("general.remoteManagement.managed")
    version = FilterField("operatingSystem.version")
    expected = {c.id for c in computers if c.general.remoteManagement.managed and c.operatingSystem.version in ("26.1", "15.7.2")}
    grouped = managed.eq(True) & filter_group(version.eq("26.1") | version.eq("15.7.2"))
    listed = managed.eq(True) & version.is_in(["26.1", "15.7.2"])
    for expression in (grouped, listed):
        found = api.get_computer_inventory_v3(filter_expression=expression, page_size=50)
        assert {computer.id for computer in found} == expected

    recent = sorted((c for c in computers), key=lambda c: c.general.lastContactTime)[-40:]
    since = recent[0].general.lastContactTime.strftime("%Y-%m-%dT%H:%M:%SZ")
    found = api.get_computer_inventory_v3(
        filter_expression=FilterField("general.lastContactTime").gte(since),
        sort_expression=SortField("general.lastContactTime").desc(),
    )
    times = [computer.general.lastContactTime for computer in found]
    assert times == sorted(times, reverse=True) and len(times) >= 40
    assert len(api.get_computer_inventory_v1(sections=["GENERAL", "FONTS"], page_size=2000)) == COMPUTERS


def check_sdk_mobile_devices(api):
    devices = api.get_mobile_device_inventory_v2(sections=["ALL"], page_size=70)
    assert len({device.mobileDeviceId for device in devices}) == MOBILE_DEVICES
    some = devices[77]
    found = api.get_mobile_device_inventory_v2(filter_expression=FilterField("serialNumber").eq(some.hardware.serialNumber))
    assert [device.mobileDeviceId for device in found] == [some.mobileDeviceId]
    low = api.get_mobile_device_inventory_v2(
        sections=["HARDWARE"], filter_expression=FilterField("batteryLevel").lt(30), sort_expression=SortField("batteryLevel").asc()
    )
    levels = [device.hardware.batteryLevel for device in low]
    assert levels == sorted(d.hardware.batteryLevel for d in devices if d.hardware.batteryLevel < 30) and levels


def check_sdk_commands(api):
    management_id = api.get_computer_inventory_v3(filter_expression=FilterField("id").eq(1))[0].general.managementId
    answers = api.send_mdm_command_v2([management_id], EnableRemoteDesktopCommand())
    assert len(answers) == 1
    commands = api.get_mdm_commands_v2(FilterField("uuid").eq(answers[0].id))
    assert [str(command.uuid) for command in commands] == [answers[0].id]
    assert commands[0].commandState.value == "PENDING"


def check_wrapper(url):
    for name, secret, is_client in (("forsetti-demo", "forsetti-demo-secret", True), ("demo", "demo-password", False)):
        with Pro(url, name, secret, client=is_client) as pro:
            first = pro.get_computer_inventories(section=["GENERAL", "HARDWARE"], page=0, page_size=200)
            assert first["totalCount"] == COMPUTERS and len(first["results"]) == 200
            last = pro.get_computer_inventories(page=2, page_size=200)
            assert len(last["results"]) == COMPUTERS - 400
            some = first["results"][5]
            serial = some["hardware"]["serialNumber"]
            quoted = pro.get_computer_inventories(filter=f'hardware.serialNumber=="{serial}" and id=={some["id"]}')
            assert [computer["id"] for computer in quoted["results"]] == [some["id"]]
            assert pro.get_computer_inventory_detail(some["id"])["udid"] == some["udid"]
            devices = pro.get_mobile_devices_detail(section=["GENERAL", "HARDWARE"], page_size=2000)
            assert len(devices["results"]) == MOBILE_DEVICES
            device = devices["results"][3]
            detail = pro.get_mobile_device_detail(device["mobileDeviceId"])
            assert detail["serialNumber"] == device["hardware"]["serialNumber"]
            scope = pro.get_mobile_device_prestage_scope(1)
            assert scope["assignments"] and scope["versionLock"] == 0


def main(program):
    arguments = [program, "--computers", str(COMPUTERS), "--mobile-devices", str(MOBILE_DEVICES)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().strip()
            for credentials in (
                ApiClientCredentialsProvider("forsetti-demo", "forsetti-demo-secret"),
                UserCredentialsProvider("demo", "demo-password"),
            ):
                api = sdk(url, credentials).pro_api
                check_sdk_computers(api)
                check_sdk_mobile_devices(api)
                check_sdk_commands(api)
            check_wrapper(url)
        finally:
            server.terminate()
    assert server.returncode == 0, server.returncode


if __name__ == "__main__":
    main(sys.argv[1])
