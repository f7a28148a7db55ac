"""Devices of a table: what a device is to the floor, drivers for real formats, and simulators."""
