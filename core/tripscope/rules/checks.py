"""Checks that no pattern can make: whether the digits of what was matched add up."""

from __future__ import annotations

import ipaddress


def luhn(text: str) -> bool:
    """Whether the digits of a card number end in the right check digit (ISO/IEC 7812-1)."""
    digits = [int(char) for char in text if char.isdigit()]
    doubled = [2 * digit - 9 if digit > 4 else 2 * digit for digit in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Whether an account number has the right check digits (ISO 13616, ISO/IEC 7064 MOD 97-10)."""
    plain = "".join(text.split())
    number = "".join(str(int(char, 36)) for char in plain[4:] + plain[:4])
    return 15 <= len(plain) <= 34 and int(number) % 97 == 1


def ipv6(text: str) -> bool:
    """Whether it spells an IPv6 address of more than zeros (RFC 4291)."""
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return int(address) > 1
