"""An interpreter of the scenarios in ``vectors/lifecycle`` (its README is the language).

It builds agents, processors, tools and scripted models through the public interface of tripscope,
runs the calls of a scenario and writes down what happened in the form of the scenario's ``expect``.
"""
